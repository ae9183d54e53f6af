import type { Tx } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import {
  type ExperimentPlan,
  type ExperimentProgress,
  followedPrefixes,
  planExperiment,
  sightOf,
} from "@fairlead/domain/experiment";
import { appendFeed } from "../control/append-feed.sql.ts";
import { markManyDirty } from "../control/mark-dirty.sql.ts";
import { endExperiment } from "./end.ts";
import { type ExperimentRow, loadExperimentRow } from "./get.ts";
import { selectKernelRoutes, selectRouters } from "./kernel-routes.sql.ts";
import { lockExperiment } from "./lock.sql.ts";
import { recountBroken } from "./recount.ts";
import { findTrouble } from "./trouble.sql.ts";

/** The result of a check: the experiment is gone, it runs and is due again by then, or it ended then. */
export type LookedAt = { is: "gone" } | { is: "running"; until: Date; isSettled: boolean } | { is: "ended"; at: Date };

/**
 * lookAtExperiment records what kernels do now and does what is due. All its decisions are based on stored state, so it
 * doesn't matter which controller checks, how often, or whether the last one crashed. Only the controller calls it.
 */
export async function lookAtExperiment(tx: Tx, id: string, now: Date): Promise<LookedAt> {
  const locked = await lockExperiment(tx, id);
  if (!locked) return { is: "gone" };
  const { organizationId } = locked;
  const row = await loadExperimentRow(tx, organizationId, id);
  const course = { ...row, organizationId };
  await recountBroken(tx, course, now);
  if (row.endedAt) return { is: "ended", at: row.endedAt };
  const { isSettled, changedAt } = await recordSight(tx, course, now);
  const last = await lastRequested(tx, id);
  const progress: ExperimentProgress = {
    ...row,
    lastNumber: last?.number ?? null,
    trouble: await findTrouble(tx, row),
  };
  const plan = planExperiment(progress, now);
  if (plan.type === "change") await change(tx, course, plan, changedAt, now);
  if (plan.type !== "end") return { is: "running", until: plan.type === "wait" ? plan.until : now, isSettled };
  const counted = await tx.experiment.findUniqueOrThrow({ where: { id }, select: { settledCount: true } });
  await endExperiment(tx, organizationId, { ...row, ...counted }, row.replicas, plan, now);
  return { is: "ended", at: now };
}

/**
 * A kernel that follows each change of the longest and busiest experiment has fewer; one that flaps could have any
 * number.
 */
const mostSeen = 100_000;

type Course = ExperimentRow & { organizationId: string };

const lastRequested = (tx: Tx, experimentId: string) =>
  tx.experimentStep.findFirst({ where: { experimentId, kind: "requested" }, orderBy: { number: "desc" } });

/** recordSight stores what kernels were seen to do, if that is new, and whether it settles the last change. */
async function recordSight(tx: Tx, course: Course, now: Date): Promise<{ isSettled: boolean; changedAt: Date | null }> {
  const { id, organizationId, clusterId, replicas, drained } = course;
  const routerIds = await selectRouters(tx, clusterId);
  const routes = await selectKernelRoutes(tx, routerIds, followedPrefixes(replicas));
  const serving = replicas.map((each) => each.agentId).filter((each) => !drained.includes(each));
  const sight = sightOf(replicas, serving, routes, routerIds);
  const { changedAt } = sight;
  const seen = { experimentId: id, kind: "observed" };
  const before = await tx.experimentStep.findFirst({ where: seen, orderBy: { at: "desc" } });
  if (
    before?.replicas.join() !== sight.replicas.join() &&
    (await tx.experimentStep.count({ where: seen })) < mostSeen
  ) {
    // A route that is gone altogether has no time of its own; a state from before the experiment counts from its start.
    const seenAt = sight.replicas.length > 0 && changedAt ? changedAt : now;
    const at = new Date(Math.max(seenAt.getTime(), course.startedAt.getTime(), (before?.at.getTime() ?? 0) + 1));
    const step = { id: newId("experimentStep", now), organizationId, experimentId: id, kind: "observed", at };
    await tx.experimentStep.create({ data: { ...step, replicas: sight.replicas } });
    await appendFeed(tx, organizationId, [{ subjectKind: "experiment", subjectId: id, clusterId }]);
  }
  const last = await lastRequested(tx, id);
  if (!last || last.settledAt) return { isSettled: true, changedAt };
  // Compared by the router's own clock alone: its routes changed since the request.
  if (!sight.isAsDesired || !changedAt || (last.routesBefore && changedAt <= last.routesBefore))
    return { isSettled: false, changedAt };
  const tookMs = Math.max(0, changedAt.getTime() - last.at.getTime());
  await tx.experimentStep.update({ where: { id: last.id }, data: { settledAt: changedAt } });
  await tx.experiment.update({
    where: { id },
    data: { settledCount: { increment: 1 }, slowestMs: Math.max(course.slowestMs ?? 0, tookMs) },
  });
  return { isSettled: true, changedAt };
}

async function change(
  tx: Tx,
  { id, organizationId, clusterId, replicas }: Course,
  { number, drained }: Extract<ExperimentPlan, { type: "change" }>,
  routesBefore: Date | null,
  now: Date,
): Promise<void> {
  const serving = replicas.map((each) => each.agentId).filter((each) => !drained.includes(each));
  const step = {
    id: newId("experimentStep", now),
    organizationId,
    experimentId: id,
    kind: "requested",
    at: now,
    number,
  };
  await tx.experimentStep.create({ data: { ...step, replicas: serving, routesBefore } });
  await tx.experiment.update({ where: { id }, data: { drained, changeCount: { increment: 1 } } });
  const nodeIds = replicas.map((each) => each.nodeId);
  await markManyDirty(tx, "node", nodeIds, { urgent: true });
  await appendFeed(tx, organizationId, [{ subjectKind: "experiment", subjectId: id, clusterId }]);
}
