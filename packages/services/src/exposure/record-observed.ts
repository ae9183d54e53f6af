import type { Tx } from "@fairlead/db";
import type { FeedEntry, Severity } from "@fairlead/domain/event";
import {
  type Condition,
  type NewCondition,
  type ObservedExposure,
  type ObservedLoadBalancer,
  setCondition,
} from "@fairlead/domain/exposure";
import { replaceMappings } from "../address-map/replace-mappings.ts";
import { appendFeed } from "../control/append-feed.sql.ts";
import { recordDampedEvent } from "../control/record-damped-event.ts";
import { changedBalancers } from "./changed-balancers.sql.ts";
import { eachOnce } from "./each-once.ts";
import { mostStaleMs } from "./most-stale.ts";
import {
  replaceBackends,
  replaceReplicaStatuses,
  selectBalancerIds,
  touchObserved,
  writeStatuses,
} from "./observed-rows.sql.ts";
import { readConditions } from "./rows.ts";

/**
 * recordObservedExposure writes what a reconciliation found. It records an event where a condition changed, and
 * notifies live streams only of visible differences: most passes find everything unchanged.
 */
export async function recordObservedExposure(tx: Tx, id: string, observed: ObservedExposure, now: Date): Promise<void> {
  const exposure = await tx.exposure.findUnique({
    where: { id },
    select: {
      id: true,
      organizationId: true,
      clusterId: true,
      name: true,
      status: true,
    },
  });
  if (!exposure) return;
  const own = await selectBalancerIds(tx, id);
  const seen = eachOnce(observed.loadBalancers.filter((each) => own.has(each.id)));
  const changed = await changedBalancers(tx, id, seen);
  await writeBalancers(tx, exposure, seen, changed, now);

  const before = exposure.status;
  const conditionsBefore = before ? readConditions(before.conditions) : [];
  const conditions = observed.conditions.reduce(
    (merged, next) => setCondition(merged, next, now),
    conditionsBefore.filter((each) => observed.conditions.some((next) => next.type === each.type)),
  );
  const { generation, phase, message, applied } = observed;
  const status = { observedGeneration: generation, phase, message, conditions, applied, observedAt: now };
  await tx.exposureStatus.upsert({ where: { exposureId: id }, create: { exposureId: id, ...status }, update: status });

  // A condition that is still unknown is no event.
  const news = observed.conditions
    .filter((each) => each.status !== "unknown" && !conditionsBefore.some((old) => sameFact(old, each)))
    .toSorted((a, b) => a.type.localeCompare(b.type));
  for (const condition of news)
    await recordDampedEvent(tx, exposure.organizationId, {
      at: now,
      severity: severityOf(condition, phase),
      reason: condition.reason,
      message: condition.message,
      subjectKind: "exposure",
      subjectId: id,
      subjectName: exposure.name,
      clusterId: exposure.clusterId,
    });

  const looksDifferent =
    before?.phase !== phase || before.message !== message || before.observedGeneration !== generation;
  const { clusterId } = exposure;
  const entries: FeedEntry[] = changed.map(({ id: subjectId }) => ({
    subjectKind: "load-balancer",
    subjectId,
    clusterId,
  }));
  if (looksDifferent || changed.length > 0) entries.push({ subjectKind: "exposure", subjectId: id, clusterId });
  await appendFeed(tx, exposure.organizationId, entries);
}

async function writeBalancers(
  tx: Tx,
  exposure: { id: string; organizationId: string },
  seen: ObservedLoadBalancer[],
  changed: ObservedLoadBalancer[],
  now: Date,
): Promise<void> {
  const isChanged = new Set(changed);
  const unchanged = seen.filter((each) => !isChanged.has(each)).map((each) => each.id);
  await touchObserved(tx, unchanged, { now, olderThanMs: unchanged.length * mostStaleMs });
  if (changed.length === 0) return;
  await writeStatuses(tx, changed, now);
  await replaceReplicaStatuses(tx, changed, now);
  await replaceBackends(tx, changed, now);
  const mappings = changed.flatMap((each) => each.mappings.map((mapping) => ({ ...mapping, loadBalancerId: each.id })));
  await replaceMappings(
    tx,
    exposure,
    changed.map((each) => each.id),
    mappings,
    now,
  );
}

function sameFact(a: Condition, b: NewCondition): boolean {
  return a.type === b.type && a.status === b.status && a.reason === b.reason;
}

function severityOf(condition: NewCondition, phase: ObservedExposure["phase"]): Severity {
  if (condition.status === "true") return "info";
  return phase === "failed" ? "problem" : "warning";
}
