import { Prisma, type Tx } from "@fairlead/db";
import type { AddressFamily } from "@fairlead/domain/choice";
import type { ClusterKind } from "@fairlead/domain/cluster";
import type { BalancerFacts, RunsAs } from "@fairlead/domain/cost";
import type { StrategyType } from "@fairlead/domain/exposure";

export type ClusterCandidate = {
  id: string;
  name: string;
  kind: ClusterKind;
  region: string;
  labels: Record<string, string>;
  runsAs: RunsAs | null;
  isAttached: boolean;
  poolCount: number;
  /** The first address of one of its pools. */
  poolAddress: string | null;
  /** Of pools with a free address. */
  families: AddressFamily[];
};

export type ExposureCandidate = {
  id: string;
  name: string;
  clusterId: string;
  clusterName: string;
  region: string;
  labels: Record<string, string>;
  strategy: StrategyType;
  families: AddressFamily[];
  observedAt: Date | null;
  balancers: OwnBalancer[];
};

/** A load balancer of an exposure, with the number of its replicas. */
export type OwnBalancer = BalancerFacts & { replicaCount: number };

/** selectClusters returns the clusters of an organisation as candidates, at most so many. */
export function selectClusters(
  tx: Tx,
  organizationId: string,
  clusterId: string | undefined,
  most: number,
): Promise<ClusterCandidate[]> {
  const only = clusterId === undefined ? Prisma.sql`true` : Prisma.sql`c.id = ${clusterId}`;
  return tx.$queryRaw<ClusterCandidate[]>`
    WITH used AS (
      SELECT pool_id, count(*) AS addresses FROM virtual_address WHERE organization_id = ${organizationId} GROUP BY 1
    ), pool AS (
      SELECT p.cluster_id, count(*)::int AS count, host(min(p.prefix)) AS address, array_agg(DISTINCT 'ipv' || family(p.prefix)) FILTER (
        WHERE coalesce(u.addresses, 0) < power(2::float8, (CASE family(p.prefix) WHEN 4 THEN 32 ELSE 128 END) - masklen(p.prefix))) AS families
      FROM address_pool p LEFT JOIN used u ON u.pool_id = p.id WHERE p.organization_id = ${organizationId} GROUP BY 1
    )
    SELECT c.id, c.name, c.kind, c.region, c.labels, c.runs_as AS "runsAs", k.cluster_id IS NOT NULL AS "isAttached",
      coalesce(pool.count, 0) AS "poolCount", pool.address AS "poolAddress", coalesce(pool.families, '{}') AS families
    FROM cluster c LEFT JOIN pool ON pool.cluster_id = c.id LEFT JOIN kubernetes_access k ON k.cluster_id = c.id
    WHERE c.organization_id = ${organizationId} AND ${only} ORDER BY c.id LIMIT ${most}`;
}

/** selectExposures returns the exposures of an organisation as candidates, at most so many. */
export function selectExposures(
  tx: Tx,
  organizationId: string,
  clusterId: string | undefined,
  most: number,
): Promise<ExposureCandidate[]> {
  const only =
    clusterId === undefined
      ? Prisma.sql`true`
      : Prisma.sql`(e.cluster_id = ${clusterId} OR e.id IN (SELECT exposure_id FROM load_balancer WHERE cluster_id = ${clusterId} AND address_of_id IS NOT NULL))`;
  return tx.$queryRaw<ExposureCandidate[]>`
    WITH candidate AS (
      SELECT e.* FROM exposure e WHERE e.organization_id = ${organizationId} AND e.deleted_at IS NULL AND ${only} ORDER BY e.id LIMIT ${most}
    ), balancer AS (
      SELECT f.exposure_id, jsonb_agg(f.facts || jsonb_build_object('replicaCount', (SELECT count(*) FROM replica r WHERE r.load_balancer_id = f.load_balancer_id))) AS facts, array_agg(DISTINCT 'ipv' || CASE WHEN f.facts ->> 'address' LIKE '%:%' THEN 6 ELSE 4 END)
        FILTER (WHERE f.facts ->> 'address' ~ '^([0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*)$') AS families
      FROM candidate JOIN usage_fact_view f ON f.exposure_id = candidate.id GROUP BY 1
    )
    SELECT e.id, e.name, e.cluster_id AS "clusterId", c.name AS "clusterName", c.region, e.labels, e.strategy, s.observed_at AS "observedAt",
      coalesce(b.families, '{}') AS families, coalesce(b.facts, '[]') AS balancers
    FROM candidate e JOIN cluster c ON c.id = e.cluster_id LEFT JOIN exposure_status s ON s.exposure_id = e.id
      LEFT JOIN balancer b ON b.exposure_id = e.id ORDER BY e.id`;
}
