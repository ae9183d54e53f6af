import type { Tx } from "@fairlead/db";

// Any number that none of our other locks has: migrations take 72707369.
const setUpLock = 72_707_370;

/** lockSetUp serialises set-ups, so that each sees whether it is the first. The lock ends with the transaction. */
export async function lockSetUp(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${setUpLock})`;
}
