import type { ExperimentSeries } from "@fairlead/domain/experiment";
import { authorize, type ServiceContext } from "../context.ts";
import { growthInCluster, sumInCluster } from "../series/query-cluster.sql.ts";
import { loadExperimentRow } from "./get.ts";
import { lastWordMs } from "./recount.ts";
import { selectThinSteps } from "./thin-steps.sql.ts";

/** A limit on the replica names in all steps of one answer, for very many replicas. */
const mostNames = 20_000;
const fewestPoints = 10;
/** The default report interval of agents. In finer steps a sum would cover only some of them. */
const reportEveryMs = 5_000;

/** readExperimentSeries returns the data of an experiment's charts: at most maxPoints of each series. */
export async function readExperimentSeries(
  ctx: ServiceContext,
  { id, maxPoints }: { id: string; maxPoints: number },
): Promise<ExperimentSeries> {
  authorize(ctx, "cluster:read");
  const { db, now } = ctx;
  const { clusterId, startedAt, endedAt, replicas } = await loadExperimentRow(db, ctx.organizationId, id);
  // A range is never empty, even where clocks differ.
  const to = new Date(Math.max((endedAt ?? now).getTime(), startedAt.getTime() + 1_000));
  const span = { clusterId, from: startedAt, to, maxPoints };
  const mostSums = Math.max(fewestPoints, Math.ceil((to.getTime() - startedAt.getTime()) / reportEveryMs) + 3);
  const sums = { ...span, maxPoints: Math.min(maxPoints, mostSums) };
  const mostSteps = Math.max(fewestPoints, Math.min(maxPoints, Math.floor(mostNames / replicas.length)));
  const desired = await selectThinSteps(db, id, "requested", maxPoints - 1);
  const seen = await selectThinSteps(db, id, "observed", mostSteps);
  const lastWords = endedAt ? { ...span, to: new Date(to.getTime() + lastWordMs) } : span;
  const grown = await growthInCluster(db, "connectionsBroken", lastWords, now);
  return {
    from: startedAt,
    to,
    desired: [
      { at: startedAt, replicaCount: replicas.length },
      ...desired.map((each) => ({ at: each.at, replicaCount: each.replicas.length })),
    ],
    routed: seen.map((each) => ({ ...each, replicaCount: each.replicas.length })),
    throughputBps: await sumInCluster(db, "throughputBps", sums, now),
    requestsPerSecond: await sumInCluster(db, "requestsPerSecond", sums, now),
    broken: grown && addUp(grown, to),
  };
}

/** addUp returns the running total up to each moment. Breaks reported after the end still count as the experiment's. */
function addUp(grown: readonly { at: Date; value: number }[], to: Date): { at: Date; value: number }[] {
  let value = 0;
  return grown.map((each) => {
    value += each.value;
    return { at: each.at < to ? each.at : to, value };
  });
}
