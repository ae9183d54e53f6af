import { Prisma, type Tx } from "@fairlead/db";
import type { BalancerFacts, Hours } from "@fairlead/domain/cost";

/** Subject is a metered load balancer: as it is, or as it was when it was last seen. */
export type Subject = {
  id: number;
  clusterId: string;
  exposureId: string;
  loadBalancerId: string;
  facts: BalancerFacts;
};

export type SubjectFilter = {
  clusterId?: string | undefined;
  exposureId?: string | undefined;
  loadBalancerId?: string | undefined;
};

/**
 * selectSubjects returns those of an organisation that existed in some hours. A deleted one has the current attributes
 * of its cluster and exposure.
 */
export function selectSubjects(
  tx: Tx,
  organizationId: string,
  filter: SubjectFilter,
  hours: Hours,
): Promise<Subject[]> {
  const is = (column: string, value: string | undefined) =>
    value === undefined ? Prisma.sql`true` : Prisma.sql`${Prisma.raw(`s.${column}`)} = ${value}`;
  return tx.$queryRaw<Subject[]>(Prisma.sql`
    SELECT s.id, s.cluster_id AS "clusterId", s.exposure_id AS "exposureId", s.load_balancer_id AS "loadBalancerId",
      coalesce(v.facts, s.facts || CASE WHEN c.id IS NULL THEN '{}' ELSE jsonb_build_object(
          'clusterName', c.name, 'clusterRegion', c.region, 'runsAs', c.runs_as) END
        || CASE WHEN e.id IS NULL THEN '{}' ELSE jsonb_build_object('exposureName', e.name, 'labels', e.labels) END) AS facts
    FROM usage_subject s
    LEFT JOIN usage_fact_view v ON v.load_balancer_id = s.load_balancer_id
    LEFT JOIN cluster c ON c.id = s.cluster_id
    LEFT JOIN exposure e ON e.id = s.exposure_id
    WHERE s.organization_id = ${organizationId} AND ${is("cluster_id", filter.clusterId)}
      AND ${is("exposure_id", filter.exposureId)} AND ${is("load_balancer_id", filter.loadBalancerId)}
      AND EXISTS (SELECT 1 FROM usage_hour h WHERE h.subject_id = s.id AND h.hour >= ${hours.from}::int AND h.hour < ${hours.to}::int)
    ORDER BY s.id`);
}
