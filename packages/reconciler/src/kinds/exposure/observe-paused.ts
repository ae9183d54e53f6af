import { inTransaction } from "@fairlead/db";
import { type DesiredExposure, summarizeExposure } from "@fairlead/domain/exposure";
import type { ExposureDriver } from "@fairlead/drivers";
import { recordObservedExposure } from "@fairlead/services";
import { driving } from "../../driving.ts";
import { againAfterMs, done, gone, type Outcome } from "../../outcome.ts";
import type { ReconcileContext } from "../../reconciler.ts";
import { findExposureHead } from "./exposure-head.sql.ts";
import { lockExposure } from "./intent.sql.ts";

/**
 * observePaused records the state of a paused exposure. It changes nothing outside, and none of the rows that a later
 * pass would apply.
 */
export async function observePaused(
  driver: ExposureDriver,
  desired: DesiredExposure,
  ctx: ReconcileContext,
): Promise<Outcome> {
  const outside = await driving(() => driver.observe(desired, ctx.signal));
  await ctx.passed("observed");
  const outcome = await inTransaction(ctx.db, async (tx) => {
    await lockExposure(tx, desired.id, ctx);
    const head = await findExposureHead(tx, desired.id);
    if (!head) return gone;
    if (!head.pausedAt) return againAfterMs(0);
    const observed = summarizeExposure(desired, outside);
    const { observedGeneration: generation, applied } = head;
    await recordObservedExposure(tx, desired.id, { ...observed, generation, applied }, ctx.now());
    await ctx.passed("recording");
    return done;
  });
  await ctx.passed("recorded");
  return outcome;
}
