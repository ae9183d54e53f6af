import { Prisma, type Tx } from "@fairlead/db";
import type { BalancerFacts, Hours } from "@fairlead/domain";

/** Subject is a load balancer that was metered: as it is, or as it was when it was last seen. */
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

/** selectSubjects answers those of an organisation that were there in some hours. */
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
      coalesce(v.facts, s.facts) AS facts
    FROM usage_subject s LEFT JOIN usage_fact_view v ON v.load_balancer_id = s.load_balancer_id
    WHERE s.organization_id = ${organizationId} AND ${is("cluster_id", filter.clusterId)}
      AND ${is("exposure_id", filter.exposureId)} AND ${is("load_balancer_id", filter.loadBalancerId)}
      AND EXISTS (SELECT 1 FROM usage_hour h WHERE h.subject_id = s.id AND h.hour >= ${hours.from}::int AND h.hour < ${hours.to}::int)
    ORDER BY s.id`);
}
