import type { Tx } from "@fairlead/db";
import type { ClusterKind } from "@fairlead/domain/cluster";
import type { AdaptiveDecision, Protocol } from "@fairlead/domain/exposure";
import type { AdaptivePeerReport, ReportedRoute } from "../gateway/report/adaptive/adaptive-report.ts";

export type EntryNode = {
  clusterKind: ClusterKind;
  /** Its name if it has no agent. */
  nodeId: string;
  nodeName: string;
  hasAgent: boolean;
  isReporting: boolean;
  roleProblem: string | null;
  replicaId: string | null;
  loadBalancerId: string | null;
  balancerIds: string[];
  ready: boolean | null;
  message: string | null;
  cores: number | null;
  throttledRatio: number | null;
  peers: AdaptivePeerReport[];
  services: { port: number; protocol: Protocol; refused: number; nodes: ReportedRoute[] }[];
  observedAt: Date | null;
};

/**
 * selectEntryNodes returns the nodes of a cluster at which connections may start: those with an agent of the role adaptive, those
 * with a balancer for clients outside, and those with any instance. Of several agents of a node, the newest counts.
 */
export async function selectEntryNodes(
  tx: Tx,
  clusterId: string,
  loadBalancerIds: readonly string[],
): Promise<EntryNode[]> {
  return tx.$queryRaw<EntryNode[]>`
    WITH able AS (
      SELECT DISTINCT ON (a.node_id) a.id, a.node_id, v.state IN ('in-sync', 'out-of-sync') AS reports
      FROM agent a JOIN node n ON n.id = a.node_id JOIN agent_view v ON v.id = a.id
      WHERE n.cluster_id = ${clusterId} AND a.revoked_at IS NULL AND 'adaptive' = ANY(a.roles)
      ORDER BY a.node_id, a.enrolled_at DESC, a.id DESC
    ), outside AS (
      SELECT node_id, array_agg(id ORDER BY ordinal) AS ids FROM replica
      WHERE load_balancer_id = ANY(${[...loadBalancerIds]}::text[]) AND role = 'balancer' AND node_id IS NOT NULL GROUP BY 1
    ), entry AS (
      SELECT DISTINCT i.node_name AS name FROM instance i WHERE i.cluster_id = ${clusterId} AND i.node_name <> ''
      UNION SELECT n.name FROM able JOIN node n ON n.id = able.node_id
      UNION SELECT n.name FROM outside JOIN node n ON n.id = outside.node_id
    )
    SELECT c.kind AS "clusterKind", coalesce(n.id, entry.name) AS "nodeId", entry.name AS "nodeName", able.id IS NOT NULL AS "hasAgent",
      coalesce(able.reports, false) AS "isReporting", s.problem AS "roleProblem", r.id AS "replicaId", r.load_balancer_id AS "loadBalancerId",
      coalesce(outside.ids, '{}') AS "balancerIds",
      rs.ready, rs.message, s.cores, s.throttled_ratio AS "throttledRatio", coalesce(s.peers, '[]') AS peers, coalesce(d.services, '[]') AS services,
      greatest(d.observed_at, CASE WHEN d.replica_id IS NOT NULL THEN ns.last_report_at END) AS "observedAt"
    FROM entry JOIN cluster c ON c.id = ${clusterId} LEFT JOIN node n ON n.cluster_id = ${clusterId} AND n.name = entry.name
    LEFT JOIN able ON able.node_id = n.id LEFT JOIN adaptive_status s ON s.agent_id = able.id LEFT JOIN node_status ns ON ns.agent_id = able.id
    LEFT JOIN outside ON outside.node_id = n.id
    LEFT JOIN replica r ON r.agent_id = able.id AND r.role = 'adaptive' AND r.load_balancer_id = ANY(${[...loadBalancerIds]}::text[])
    LEFT JOIN replica_status rs ON rs.replica_id = r.id LEFT JOIN adaptive_replica d ON d.replica_id = r.id
    ORDER BY entry.name LIMIT 2000`;
}

/** selectNodeNames returns the names of a cluster's nodes, by their IDs. */
export async function selectNodeNames(tx: Tx, clusterId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.node.findMany({ where: { clusterId }, select: { id: true, name: true } });
  return new Map(rows.map((each) => [each.id, each.name]));
}

type Candidate = Omit<AdaptiveDecision["candidates"][number], "nodeName">;
export type StoredDecision = Omit<AdaptiveDecision, "fromNodeName" | "toNodeName" | "candidates"> & {
  candidates: Candidate[];
};

/** How many are returned. */
const mostDecisions = 100;

export async function selectDecisions(tx: Tx, loadBalancerIds: readonly string[]): Promise<StoredDecision[]> {
  return tx.$queryRaw<StoredDecision[]>`
    SELECT d.at, r.load_balancer_id AS "loadBalancerId", d.backend_id AS "backendId", r.node_id AS "fromNodeId", d.node_id AS "toNodeId",
      d.by_weight AS "byWeight", d.candidates
    FROM replica r JOIN adaptive_decision d ON d.replica_id = r.id
    WHERE r.load_balancer_id = ANY(${[...loadBalancerIds]}::text[]) AND r.node_id IS NOT NULL
    ORDER BY d.at DESC, d.replica_id LIMIT ${mostDecisions}`;
}
