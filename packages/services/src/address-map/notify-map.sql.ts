import type { Tx } from "@fairlead/db";

export const mapChannel = "fairlead_map";

/** notifyMap wakes who waits for the address map of an exposure, once the transaction is through. A hint only. */
export async function notifyMap(tx: Tx, exposureId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_notify(${mapChannel}, ${exposureId})`;
}
