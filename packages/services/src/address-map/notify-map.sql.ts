import type { Tx } from "@fairlead/db";

export const mapChannel = "fairlead_map";

/** notifyMap wakes clients that wait for the address map of an exposure, once the transaction commits. A hint only. */
export async function notifyMap(tx: Tx, exposureId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_notify(${mapChannel}, ${exposureId})`;
}
