import { Prisma, type Tx } from "@fairlead/db";
import { canonicalJson } from "@fairlead/domain";
import { type StrategyType, strategyTypes } from "@fairlead/domain/exposure";
import type { ReportedInstance } from "@fairlead/domain/instance";
import { workloadIn } from "../exposure/workload-in.sql.ts";

export type SelectedBy = Pick<ReportedInstance, "name" | "workload" | "labels">;

/** selectExposing returns the exposures of a cluster, of these strategies, that select one of these instances. */
export async function selectExposing(
  tx: Tx,
  clusterId: string,
  instances: readonly SelectedBy[],
  strategies: readonly StrategyType[] = strategyTypes,
): Promise<string[]> {
  if (instances.length === 0) return [];
  // Most instances of a workload are equal for a selector.
  const kinds = new Map(instances.map((each) => [canonicalJson(whatCounts(each)), each]));
  const distinct = [...kinds.values()];
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT e.id FROM exposure_in_effect_view e
    WHERE (e.cluster_id = ${clusterId} OR e.id IN (SELECT exposure_id FROM load_balancer WHERE cluster_id = ${clusterId} AND address_of_id IS NOT NULL))
      AND e.deleted_at IS NULL AND e.strategy = ANY(${[...strategies]}::text[]) AND EXISTS (
      SELECT 1 FROM unnest(${distinct.map((each) => each.name)}::text[], ${distinct.map((each) => each.workload)}::text[],
        ${distinct.map((each) => JSON.stringify(each.labels))}::jsonb[]) AS i (name, workload, labels)
      WHERE exposes(${workloadIn(Prisma.sql`${clusterId}`)}, i.name, i.workload, i.labels))`;
  return rows.map((each) => each.id);
}

/** Of a name, only the namespace counts. */
function whatCounts({ name, workload, labels }: SelectedBy) {
  return { namespace: name.includes("/") ? name.slice(0, name.indexOf("/")) : "", workload, labels };
}
