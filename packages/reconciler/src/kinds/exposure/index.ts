import { inTransaction } from "@fairlead/db";
import { carriesOwn, type DesiredExposure, drainedAt, lookAgainAfterMs, strategies } from "@fairlead/domain/exposure";
import { exposureLookedAtEveryMs } from "@fairlead/domain/node";
import type { DriverFor, ExposureDriver } from "@fairlead/drivers";
import { leaveMap, loadDesiredExposure, removeExposure } from "@fairlead/services";
import { driving } from "../../driving.ts";
import { againAfterMs, gone, type Outcome } from "../../outcome.ts";
import type { ReconcileContext, Reconciler } from "../../reconciler.ts";
import { type CarryOptions, carry } from "./carried/index.ts";
import { type ExposureHead, findExposureHead } from "./exposure-head.sql.ts";
import { giveMissing } from "./give-missing.ts";
import { lockExposure, recordIntent } from "./intent.sql.ts";
import { observePaused } from "./observe-paused.ts";
import { removePodTickets } from "./pod-tickets/index.ts";
import { recordExposureFailure } from "./record-failure.ts";
import { recordFindings } from "./record-findings.ts";
import { specDigest } from "./spec-digest.ts";
import { withProblems } from "./with-problems.ts";
import { withoutDriver } from "./without-driver.ts";

/** How often to check whether what is being removed is gone. */
const stillThereMs = 2_000;

/**
 * exposureReconciler makes exposures real, through the driver of their cluster or our own agents, and removes them when
 * they are deleted. A paused one is only observed.
 */
export function exposureReconciler(driverFor: DriverFor, options: CarryOptions): Reconciler {
  return {
    kind: "exposure",
    resyncEveryMs: exposureLookedAtEveryMs,
    async reconcile(id, ctx) {
      const head = await findExposureHead(ctx.db, id);
      if (!head) return gone;
      const driver = driverFor(head.cluster);
      const isPaused = head.pausedAt !== null;
      const unremoved = isPaused && !head.deletedAt ? "" : await removePodTickets(id, ctx, driver);
      if (carriesOwn(head.cluster.kind, head.strategy))
        return carry(id, ctx, driver, { ...options, isPaused, unremoved, kind: head.cluster.kind });
      // What an earlier version created is removed even if this version wouldn't create it.
      if (!driver || !(head.deletedAt || driver.supports(head.strategy))) return withoutDriver(id, head, ctx);
      const desired = await loadDesiredExposure(ctx.db, id);
      if (!desired) return gone;
      await ctx.passed("loaded");
      if (isPaused) return observePaused(driver, desired, ctx);
      if (desired.deletedAt) return remove(driver, desired, ctx);
      return make(driver, desired, head, ctx);
    },
    recordFailure: recordExposureFailure,
  };
}

async function make(
  driver: ExposureDriver,
  found: DesiredExposure,
  { applied, appliedDigest }: ExposureHead,
  ctx: ReconcileContext,
): Promise<Outcome> {
  const isPerInstance = strategies[found.strategy.type].balancers === "per-replica";
  const instances = isPerInstance ? await driving(() => driver.listInstances(found, ctx.signal)) : [];
  const desired = await giveMissing(found, instances, ctx);
  if (!desired) return againAfterMs(0);
  const wasBegun = applied && appliedDigest === "";
  const isApplied = appliedDigest === specDigest(desired);
  // Before anything is changed: a controller that dies in the middle must leave a record that there may be something to
  // remove, and that the changes still have to be recorded.
  if (!isApplied && !(await recordIntent(desired, ctx))) return againAfterMs(0);
  await ctx.passed("intended");
  const { changes, problems, isUnfinished = false } = await driving(() => driver.set(desired, ctx.signal));
  await ctx.passed("set");
  const outside = await driving(() => driver.observe(desired, ctx.signal));
  await ctx.passed("observed");
  const outcome = await recordFindings(
    desired,
    withProblems(outside, problems),
    { changes, isUnfinished, wasBegun },
    ctx,
  );
  await ctx.passed("recorded");
  return outcome;
}

async function remove(driver: ExposureDriver, desired: DesiredExposure, ctx: ReconcileContext): Promise<Outcome> {
  if (desired.applied && desired.deletedAt) {
    const drainsForMs = await drain(desired, desired.deletedAt, ctx);
    if (drainsForMs > 0) return againAfterMs(drainsForMs);
    await driving(() => driver.set(desired, ctx.signal));
    await ctx.passed("set to nothing");
    const outside = await driving(() => driver.observe(desired, ctx.signal));
    if (outside.loadBalancers.length > 0)
      return againAfterMs(Math.max(stillThereMs, lookAgainAfterMs(desired.deletedAt, ctx.now())));
    await ctx.passed("seen nothing");
  }
  await inTransaction(ctx.db, async (tx) => {
    await lockExposure(tx, desired.id, ctx);
    await removeExposure(tx, desired.id, ctx.now());
    await ctx.passed("removing");
  });
  await ctx.passed("removed");
  return gone;
}

/** drain returns how long connections may still last. The map shows at once that it takes no new ones. */
async function drain(desired: DesiredExposure, deletedAt: Date, ctx: ReconcileContext): Promise<number> {
  const leftMs = drainedAt(desired.strategy, deletedAt).getTime() - ctx.now().getTime();
  if (leftMs <= 0) return 0;
  return inTransaction(ctx.db, async (tx) => {
    await lockExposure(tx, desired.id, ctx);
    const isMapped = (await tx.addressMapping.count({ where: { exposureId: desired.id } })) > 0;
    // Without a published map no client can have connected.
    if (!isMapped) return 0;
    const ids = desired.loadBalancers.map(({ id }) => id);
    await leaveMap(tx, desired, ids, ctx.now());
    return leftMs;
  });
}
