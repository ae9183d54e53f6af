import type { Tx } from "@fairlead/db";

// Any number that no other lock of ours has: migrations take 72707369.
const setUpLock = 72_707_370;

/** lockSetUp lets one set-up at a time look whether it is the first. It is let go when the transaction ends. */
export async function lockSetUp(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${setUpLock})`;
}
