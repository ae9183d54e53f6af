import { inTransaction } from "@fairlead/db";
import { lookAtExperiment } from "@fairlead/services";
import { holdLease } from "../lease.sql.ts";
import { againAfterMs, gone, untilMs } from "../outcome.ts";
import type { Reconciler } from "../reconciler.ts";

/** Intervals while routers converge, and while no change is expected: kernels may change by themselves. */
const lookEveryMs = { onTheWay: 250, settled: 1_000 };
/** By then clients have reported their broken connections. */
const countAfterMs = 15_000;

/** experimentReconciler runs an experiment: at its times it changes which replicas serve, and records what follows. */
export const experimentReconciler: Reconciler = {
  kind: "experiment",
  resyncEveryMs: 60_000,
  async reconcile(id, ctx) {
    const looked = await inTransaction(ctx.db, async (tx) => {
      await holdLease(tx, ctx.task);
      return lookAtExperiment(tx, id, ctx.now());
    });
    await ctx.passed("looked");
    if (looked.is === "gone") return gone;
    const now = ctx.now();
    if (looked.is === "ended") {
      const countAt = new Date(looked.at.getTime() + countAfterMs);
      return now >= countAt ? gone : againAfterMs(untilMs(countAt, now));
    }
    const most = looked.isSettled ? lookEveryMs.settled : lookEveryMs.onTheWay;
    return againAfterMs(Math.min(most, untilMs(looked.until, now)));
  },
};
