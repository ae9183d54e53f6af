import { inTransaction } from "@fairlead/db";
import type { DesiredExposure, ObservedInstance } from "@fairlead/domain/exposure";
import { planInstanceBalancers } from "@fairlead/domain/load-balancer";
import { loadDesiredExposure } from "@fairlead/services";
import type { ReconcileContext } from "../../reconciler.ts";
import { findExposureHead } from "./exposure-head.sql.ts";
import { applyInstancePlan } from "./instance-balancers.ts";
import { lockExposure } from "./intent.sql.ts";

/**
 * giveMissing gives a load balancer to each new instance, so that it is created in this pass and not in the next one.
 * It returns the exposure with these, or null when the exposure was changed or paused by now.
 */
export async function giveMissing(
  desired: DesiredExposure,
  instances: readonly ObservedInstance[],
  ctx: ReconcileContext,
): Promise<DesiredExposure | null> {
  if (planInstanceBalancers(desired, instances, ctx.now()).create.length === 0) return desired;
  return inTransaction(ctx.db, async (tx) => {
    if (!(await lockExposure(tx, desired.id, ctx))) return null;
    const now = ctx.now();
    const found = await loadDesiredExposure(tx, desired.id);
    const head = await findExposureHead(tx, desired.id);
    if (found?.generation !== desired.generation || head?.pausedAt) return null;
    const { create } = planInstanceBalancers(found, instances, now);
    // What is to be removed waits until its outside state was observed.
    await applyInstancePlan(tx, found, { create, remove: [], missed: [], found: [], nextInMs: null }, now);
    return loadDesiredExposure(tx, desired.id);
  });
}
