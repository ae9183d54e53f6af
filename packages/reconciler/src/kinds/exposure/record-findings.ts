import { inTransaction, type Tx } from "@fairlead/db";
import {
  type DesiredExposure,
  drainedAt,
  lookAgainAfterMs,
  type ObservedOutside,
  summarizeExposure,
} from "@fairlead/domain/exposure";
import { planInstanceBalancers } from "@fairlead/domain/load-balancer";
import { exposureLookedAtEveryMs } from "@fairlead/domain/node";
import type { Change } from "@fairlead/drivers";
import { recordDampedEvent, recordObservedExposure } from "@fairlead/services";
import { againAfterMs, done, gone, type Outcome } from "../../outcome.ts";
import type { ReconcileContext } from "../../reconciler.ts";
import { type ExposureHead, findExposureHead } from "./exposure-head.sql.ts";
import { freeAddresses } from "./free-addresses.ts";
import { applyInstancePlan, dropGoneBalancers } from "./instance-balancers.ts";
import { lockExposure, recordAppliedDigest } from "./intent.sql.ts";
import { specDigest } from "./spec-digest.ts";

/** Findings is what a driver did. wasBegun: an earlier attempt may have made changes, and recorded none. */
type Findings = { changes: Change[]; isUnfinished: boolean; wasBegun: boolean };

/** recordFindings writes everything that one pass through the driver found, and decides when to check again. */
export async function recordFindings(
  desired: DesiredExposure,
  outside: ObservedOutside,
  { changes, isUnfinished, wasBegun }: Findings,
  ctx: ReconcileContext,
): Promise<Outcome> {
  const now = ctx.now();
  const { outcome, corrections } = await inTransaction(ctx.db, async (tx) => {
    await lockExposure(tx, desired.id, ctx);
    const head = await findExposureHead(tx, desired.id);
    if (!head) return { outcome: gone, corrections: 0 };
    // A pass for a newer spec has already recorded its state.
    if (head.observedGeneration > desired.generation) return { outcome: againAfterMs(0), corrections: 0 };
    if (head.pausedAt) return { outcome: againAfterMs(0), corrections: 0 };
    const observed = summarizeExposure(desired, outside);
    await recordObservedExposure(tx, desired.id, observed, now);
    const digest = specDigest(desired);
    const corrected = head.appliedDigest === digest;
    // Changes that take several passes are recorded by the last one: each pass would look like another correction.
    if (!isUnfinished) {
      await recordAppliedDigest(tx, desired.id, digest);
      if (changes.length > 0) await recordChanges(tx, desired, head, changes, corrected, now);
      else if (wasBegun && outside.loadBalancers.length > 0) await recordUnlisted(tx, desired, head, now);
    }

    const plan = planInstanceBalancers(desired, outside.instances, now);
    await applyInstancePlan(tx, desired, plan, now);
    const leaving = await dropGoneBalancers(tx, desired, new Set(outside.loadBalancers.map((each) => each.id)), now);
    const releasing = await freeAddresses(tx, desired, head, outside);
    await ctx.passed("recording");
    const planned = plan.create.length + plan.remove.length;
    return {
      outcome:
        planned > 0 || isUnfinished
          ? againAfterMs(0)
          : sooner(
              sooner(
                whenToLook(observed.phase, leaving + releasing, await notReadySince(tx, desired.id, now), now),
                plan.nextInMs,
              ),
              drainsForMs(desired, now),
            ),
      corrections: corrected ? changes.length : 0,
    };
  });
  if (corrections > 0) ctx.countCorrections(corrections);
  return outcome;
}

function whenToLook(phase: string, remaining: number, since: Date, now: Date): Outcome {
  if (phase === "serving" && remaining === 0) return done;
  return againAfterMs(lookAgainAfterMs(since, now));
}

/** One that waits for its instance must not wait for the next resync. */
function sooner(outcome: Outcome, inMs: number | null): Outcome {
  if (inMs === null || (outcome.type === "again" && outcome.afterMs <= inMs)) return outcome;
  return againAfterMs(Math.min(inMs, exposureLookedAtEveryMs));
}

/** drainsForMs is how soon the next removed one has drained; null while none drains. */
function drainsForMs({ loadBalancers, strategy }: DesiredExposure, now: Date): number | null {
  const left = loadBalancers.flatMap(({ deletedAt }) =>
    deletedAt ? [drainedAt(strategy, deletedAt).getTime() - now.getTime()] : [],
  );
  const ahead = left.filter((ms) => ms > 0);
  return ahead.length > 0 ? Math.min(...ahead) : null;
}

async function notReadySince(tx: Tx, id: string, now: Date): Promise<Date> {
  const status = await tx.exposureStatus.findUnique({ where: { exposureId: id }, select: { conditions: true } });
  // Stored by setCondition, so the shape is known; dates are strings.
  const conditions = (status?.conditions ?? []) as { type: string; changedAt: string }[];
  const ready = conditions.find((each) => each.type === "Ready");
  return ready ? new Date(ready.changedAt) : now;
}

const mostListed = 5;

async function recordChanges(
  tx: Tx,
  desired: DesiredExposure,
  head: ExposureHead,
  changes: Change[],
  corrected: boolean,
  now: Date,
): Promise<void> {
  const listed = changes.slice(0, mostListed).map((each) => each.message);
  if (changes.length > mostListed) listed.push(`and ${changes.length - mostListed} more`);
  const list = listed.join(", ");
  const reason = corrected ? "Corrected" : "Applied";
  const message = corrected
    ? `${desired.name} was changed in ${desired.cluster.name} from outside; corrected: ${list}.`
    : `Changed in ${desired.cluster.name}: ${list}.`;
  await recordChange(tx, desired, head, { at: now, reason, message });
}

async function recordUnlisted(tx: Tx, desired: DesiredExposure, head: ExposureHead, now: Date): Promise<void> {
  const message = `Applied in ${desired.cluster.name}. It took several attempts, so the changes aren't listed.`;
  await recordChange(tx, desired, head, { at: now, reason: "Applied", message });
}

async function recordChange(
  tx: Tx,
  { id: subjectId, name: subjectName, cluster }: DesiredExposure,
  { organizationId }: ExposureHead,
  event: { at: Date; reason: "Applied" | "Corrected"; message: string },
): Promise<void> {
  const subject = { subjectKind: "exposure" as const, subjectId, subjectName, clusterId: cluster.id };
  await recordDampedEvent(tx, organizationId, { ...event, ...subject });
}
