import type { Tx } from "@fairlead/db";
import { type Workload, weightsProtocol } from "@fairlead/domain/exposure";
import type { UnsharingAgent } from "@fairlead/domain/load-balancer";

/** countMatching returns how many instances of a cluster a workload selects. */
export async function countMatching(tx: Tx, clusterId: string, workload: Workload): Promise<number> {
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM instance i
    WHERE i.cluster_id = ${clusterId} AND exposes(${JSON.stringify(workload)}::jsonb, i.name, i.workload, i.labels)`;
  return row?.count ?? 0;
}

/** findOverlappingPool returns the name of a cluster's pool that overlaps another cluster's; null if there is none. */
export async function findOverlappingPool(tx: Tx, clusterId: string, poolId: string): Promise<string | null> {
  const [row] = await tx.$queryRaw<{ name: string }[]>`
    SELECT other.name FROM address_pool p JOIN address_pool other ON other.prefix && p.prefix AND other.id <> p.id
    WHERE p.id = ${poolId} AND other.cluster_id = ${clusterId} ORDER BY other.name LIMIT 1`;
  return row?.name ?? null;
}

/** selectWeighingRouters returns the addresses of routers whose agent gives next hops weights. */
export async function selectWeighingRouters(tx: Tx, organizationId: string): Promise<ReadonlySet<string>> {
  const rows = await tx.$queryRaw<{ address: string }[]>`
    SELECT s.address FROM bgp_status s JOIN agent a ON a.id = s.agent_id JOIN node n ON n.id = a.node_id
    WHERE n.organization_id = ${organizationId} AND a.revoked_at IS NULL AND 'router' = ANY(a.roles) AND a.protocol_version >= ${weightsProtocol}`;
  return new Set(rows.map((each) => each.address));
}

/** findOutdatedSpeaker returns the node of a speaker of these clusters that sends no shares; null if all do. */
export async function findOutdatedSpeaker(tx: Tx, clusterIds: readonly string[]): Promise<string | null> {
  const [row] = await tx.$queryRaw<{ name: string }[]>`
    SELECT n.name FROM agent a JOIN node n ON n.id = a.node_id
    WHERE n.cluster_id = ANY(${[...clusterIds]}::text[]) AND a.revoked_at IS NULL AND 'speaker' = ANY(a.roles)
      AND a.protocol_version < ${weightsProtocol} ORDER BY n.name LIMIT 1`;
  return row?.name ?? null;
}

/** findUnsharingAgent returns an agent of these clusters that can't share flows with other clusters; null if all can. */
export async function findUnsharingAgent(tx: Tx, clusterIds: readonly string[]): Promise<UnsharingAgent | null> {
  const [row] = await tx.$queryRaw<UnsharingAgent[]>`
    SELECT n.name AS "nodeName", a.protocol_version < ${weightsProtocol} AS "isOutdated"
    FROM agent a JOIN node n ON n.id = a.node_id LEFT JOIN balancer_status s ON s.agent_id = a.id
    WHERE n.cluster_id = ANY(${[...clusterIds]}::text[]) AND a.revoked_at IS NULL AND 'balancer' = ANY(a.roles)
      AND (a.protocol_version < ${weightsProtocol} OR s.flow_address ~ '^$|^\\[::1?\\]:|^0\\.0\\.0\\.0:|^127\\.')
    ORDER BY n.name LIMIT 1`;
  return row ?? null;
}
