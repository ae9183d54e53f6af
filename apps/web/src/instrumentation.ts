/** register is called by Next.js once, before the server takes its first request. */
export async function register(): Promise<void> {
  // Not the environment but a word that the bundler replaces: without it this would be built for the edge as well.
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { refuseUnroutable } = await import("./server/refuse-unroutable.ts");
  refuseUnroutable();
  const { knowClients } = await import("./server/know-clients.ts");
  knowClients();
}
