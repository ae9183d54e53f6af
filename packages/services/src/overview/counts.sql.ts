import type { Tx } from "@fairlead/db";
import { type ExposurePhase, exposurePhases } from "@fairlead/domain/exposure";
import { type LoadBalancerPhase, loadBalancerPhases } from "@fairlead/domain/load-balancer";
import { type NodeState, nodeStates } from "@fairlead/domain/node";
import type { Overview } from "@fairlead/domain/overview";

// Counts over all objects of an organisation. Each reads a view, so that a count and the list behind it agree.

type Counted<Word extends string> = { total: number; by: Record<Word, number> };

export async function countNodes(tx: Tx, organizationId: string): Promise<Overview["nodes"]> {
  const rows = await tx.$queryRaw<{ word: NodeState; count: number }[]>`
    SELECT state AS word, count(*)::int AS count FROM node_view WHERE "organizationId" = ${organizationId} GROUP BY state`;
  const { total, by: byState } = tally(nodeStates, rows);
  return { total, byState };
}

export async function countExposures(tx: Tx, organizationId: string): Promise<Overview["exposures"]> {
  const rows = await tx.$queryRaw<{ word: ExposurePhase; count: number }[]>`
    SELECT phase AS word, count(*)::int AS count FROM exposure_view WHERE "organizationId" = ${organizationId} GROUP BY phase`;
  const { total, by: byPhase } = tally(exposurePhases, rows);
  return { total, byPhase };
}

export async function countLoadBalancers(tx: Tx, organizationId: string): Promise<Overview["loadBalancers"]> {
  const rows = await tx.$queryRaw<{ word: LoadBalancerPhase; count: number }[]>`
    SELECT phase AS word, count(*)::int AS count FROM load_balancer_view WHERE "organizationId" = ${organizationId} GROUP BY phase`;
  const { total, by: byPhase } = tally(loadBalancerPhases, rows);
  return { total, byPhase };
}

/** countTasks counts the reconciler's due tasks for this organisation's objects. */
export async function countTasks(tx: Tx, organizationId: string): Promise<Overview["tasks"]> {
  const [row] = await tx.$queryRaw<{ due: number; oldestDueMs: number; resting: number }[]>`
    SELECT count(*) FILTER (WHERE NOT resting AND "dueAt" <= now())::int AS due,
      coalesce(extract(epoch FROM now() - min("dueAt") FILTER (WHERE NOT resting AND "dueAt" <= now())) * 1000, 0)::int8::int AS "oldestDueMs",
      count(*) FILTER (WHERE resting)::int AS resting
    FROM reconcile_task_view WHERE "organizationId" = ${organizationId}`;
  return row ?? { due: 0, oldestDueMs: 0, resting: 0 };
}

function tally<Word extends string>(words: readonly Word[], rows: { word: Word; count: number }[]): Counted<Word> {
  const by = Object.fromEntries(words.map((word) => [word, 0])) as Record<Word, number>;
  for (const { word, count } of rows) by[word] = count;
  return { total: rows.reduce((sum, each) => sum + each.count, 0), by };
}
