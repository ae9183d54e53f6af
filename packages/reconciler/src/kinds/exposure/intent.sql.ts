import { inTransaction, type Tx } from "@fairlead/db";
import type { DesiredExposure } from "@fairlead/domain/exposure";
import { holdLease } from "../../lease.sql.ts";
import type { ReconcileContext } from "../../reconciler.ts";

/**
 * lockExposure locks the exposure's row and then its task, in the order of the verbs, so that neither changes before
 * what is written next. It returns whether the row still exists.
 */
export async function lockExposure(tx: Tx, id: string, ctx: ReconcileContext): Promise<boolean> {
  const rows = await tx.$queryRaw<object[]>`SELECT 1 FROM exposure WHERE id = ${id} FOR UPDATE`;
  await holdLease(tx, ctx.task);
  return rows.length > 0;
}

/**
 * recordIntent records that a driver is about to be called with a spec of the exposure that isn't applied in full, so
 * that no spec counts as applied until it is. It returns false when the exposure was paused, or its spec has changed:
 * what the old one holds, such as an address, may belong to another exposure by now.
 */
export async function recordIntent(
  { id, generation }: Pick<DesiredExposure, "id" | "generation">,
  ctx: ReconcileContext,
): Promise<boolean> {
  return inTransaction(ctx.db, async (tx) => {
    await lockExposure(tx, id, ctx);
    const count = await tx.$executeRaw`
      INSERT INTO exposure_status (exposure_id, applied, observed_at)
      SELECT id, true, ${ctx.now()} FROM exposure WHERE id = ${id} AND generation = ${generation} AND paused_at IS NULL
      ON CONFLICT (exposure_id) DO UPDATE SET applied = true, applied_digest = ''`;
    return count > 0;
  });
}

/**
 * recordContribution records what agents' configs contain of an exposure from now on, so that its removal includes
 * them.
 */
export async function recordContribution(tx: Tx, id: string, digest: string, now: Date): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO exposure_status (exposure_id, applied, applied_digest, observed_at) VALUES (${id}, true, ${digest}, ${now})
    ON CONFLICT (exposure_id) DO UPDATE SET applied = true, applied_digest = excluded.applied_digest`;
}

/** recordAppliedDigest records which spec was applied in full. */
export async function recordAppliedDigest(tx: Tx, id: string, digest: string): Promise<void> {
  await tx.$executeRaw`UPDATE exposure_status SET applied_digest = ${digest} WHERE exposure_id = ${id} AND applied_digest <> ${digest}`;
}
