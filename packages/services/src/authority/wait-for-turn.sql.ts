import type { Tx } from "@fairlead/db";

const creationLock = "fairlead.certificate-authority";

/**
 * waitForTurn lets one process at a time check whether there is a CA and create it. The lock lasts until the
 * transaction ends.
 */
export async function waitForTurn(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${creationLock}))`;
}
