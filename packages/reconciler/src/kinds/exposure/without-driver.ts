import { inTransaction } from "@fairlead/db";
import { describeLack, explainLack } from "@fairlead/domain/exposure";
import { recordObservedExposure, removeExposure } from "@fairlead/services";
import { done, gone, type Outcome } from "../../outcome.ts";
import type { ReconcileContext } from "../../reconciler.ts";
import type { ExposureHead } from "./exposure-head.sql.ts";
import { lockExposure } from "./intent.sql.ts";

/**
 * withoutDriver reports that an exposure has no driver yet. One that was never applied is deleted at once; one that
 * was, by a version that had the driver, must wait for that driver, or what it created would be left behind.
 */
export async function withoutDriver(id: string, head: ExposureHead, ctx: ReconcileContext): Promise<Outcome> {
  const removable = head.deletedAt !== null && !head.applied;
  const lack = explainLack(head.cluster, head.strategy);
  const message = describeLack(lack, { applied: head.applied, isDeleted: head.deletedAt !== null });
  // While it is paused, an edit waits.
  const generation = head.pausedAt ? head.observedGeneration : head.generation;
  if (!removable && head.message === message && head.observedGeneration === generation) {
    // It was checked and nothing changed: its status has the age of this check, and goes stale without one.
    await ctx.db.exposureStatus.updateMany({ where: { exposureId: id }, data: { observedAt: ctx.now() } });
    return done;
  }
  await inTransaction(ctx.db, async (tx) => {
    if (!(await lockExposure(tx, id, ctx))) return;
    if (removable) await removeExposure(tx, id, ctx.now());
    else
      await recordObservedExposure(
        tx,
        id,
        {
          generation,
          phase: "pending",
          message,
          conditions: [{ type: "Ready", status: "false", reason: lack.reason, message }],
          applied: head.applied,
          loadBalancers: [],
        },
        ctx.now(),
      );
    await ctx.passed("recording");
  });
  return removable ? gone : done;
}
