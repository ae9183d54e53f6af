/** Next.js calls register once. The server accepts connections before, so preload.ts holds requests until then. */
export async function register(): Promise<void> {
  // The bundler replaces this expression. Without it, the code would also be built for the edge runtime.
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { guardRequests } = await import("./server/guard-requests.ts");
  guardRequests();
}
