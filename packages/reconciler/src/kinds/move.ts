import { inTransaction } from "@fairlead/db";
import { DomainError } from "@fairlead/domain";
import { failMove, lookAtMove } from "@fairlead/services";
import { holdLease } from "../lease.sql.ts";
import { againAfterMs, gone } from "../outcome.ts";
import type { Reconciler } from "../reconciler.ts";

/** moveReconciler moves exposures to other clusters, one step at a time: see lookAtMove. */
export const moveReconciler: Reconciler = {
  kind: "move",
  resyncEveryMs: 60_000,
  async reconcile(id, ctx) {
    const afterMs = await inTransaction(ctx.db, async (tx) => {
      const after = await lookAtMove(tx, id, ctx.now());
      await holdLease(tx, ctx.task);
      await ctx.passed("moving");
      return after;
    });
    await ctx.passed("moved");
    return afterMs === null ? gone : againAfterMs(afterMs);
  },
  async recordFailure(id, { error }, ctx) {
    if (!(error instanceof DomainError)) return;
    await inTransaction(ctx.db, (tx) => failMove(tx, id, error.message, ctx.now()));
  },
};
