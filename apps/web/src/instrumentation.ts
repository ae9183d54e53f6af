/** Next.js calls register once, before the server accepts its first request. */
export async function register(): Promise<void> {
  // The bundler replaces this expression. Without it, the code would also be built for the edge runtime.
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { guardRequests } = await import("./server/guard-requests.ts");
  guardRequests();
}
