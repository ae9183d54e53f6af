import { inTransaction } from "@fairlead/db";
import type { DesiredExposure, ObservedInstance } from "@fairlead/domain/exposure";
import { planInstanceBalancers } from "@fairlead/domain/load-balancer";
import { loadDesiredExposure } from "@fairlead/services";
import type { ReconcileContext } from "../../reconciler.ts";
import { applyInstancePlan } from "./instance-balancers.ts";
import { lockExposure } from "./intent.sql.ts";

/**
 * giveMissing gives a load balancer to each instance that came since, so that it is made in this pass and not in the next one.
 * It answers the exposure with these, or null when it is another by now.
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
    if (found?.generation !== desired.generation) return null;
    const { create } = planInstanceBalancers(found, instances, now);
    // What is to go waits for a look at what was made of it.
    await applyInstancePlan(tx, found, { create, remove: [], missed: [], found: [], nextInMs: null }, now);
    return loadDesiredExposure(tx, desired.id);
  });
}
