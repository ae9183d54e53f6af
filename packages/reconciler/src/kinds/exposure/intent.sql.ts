import { inTransaction, type Tx } from "@fairlead/db";
import { holdLease } from "../../lease.sql.ts";
import type { ReconcileContext } from "../../reconciler.ts";

/**
 * lockExposure holds the exposure's row and then its task, in the order of the verbs, so that neither changes
 * under what is written next. It answers whether the row is still there.
 */
export async function lockExposure(tx: Tx, id: string, ctx: ReconcileContext): Promise<boolean> {
  const rows = await tx.$queryRaw<object[]>`SELECT 1 FROM exposure WHERE id = ${id} FOR UPDATE`;
  await holdLease(tx, ctx.task);
  return rows.length > 0;
}

/** recordIntent notes that a driver is about to be asked to make this exposure. */
export async function recordIntent(id: string, ctx: ReconcileContext): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    if (!(await lockExposure(tx, id, ctx))) return;
    await tx.$executeRaw`
      INSERT INTO exposure_status (exposure_id, applied, observed_at) VALUES (${id}, true, ${ctx.now()})
      ON CONFLICT (exposure_id) DO UPDATE SET applied = true`;
  });
}

/** recordAppliedDigest notes which wish was made whole. */
export async function recordAppliedDigest(tx: Tx, id: string, digest: string): Promise<void> {
  await tx.$executeRaw`UPDATE exposure_status SET applied_digest = ${digest} WHERE exposure_id = ${id} AND applied_digest <> ${digest}`;
}
