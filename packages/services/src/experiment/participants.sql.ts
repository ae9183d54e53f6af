import type { Tx } from "@fairlead/db";
import type { ExperimentReplica } from "@fairlead/domain/experiment";

type Row = { agentId: string; nodeId: string; nodeName: string; prefix: string; nextHop: string; isDraining: boolean };

export type Participants = {
  replicas: ExperimentReplica[];
  /** Nodes that users drain at the moment. */
  draining: string[];
  /** Prefixes with a single announcer; its speaker therefore takes no part. */
  alone: string[];
};

/** selectParticipants finds the speakers of a cluster whose every address has another announcer too. */
export async function selectParticipants(tx: Tx, clusterId: string): Promise<Participants> {
  const rows = await tx.$queryRaw<Row[]>`
    SELECT a.id AS "agentId", n.id AS "nodeId", n.name AS "nodeName", n.draining_since IS NOT NULL AS "isDraining",
      host(announced.prefix) || '/' || masklen(announced.prefix) AS prefix, host(announced.next_hop) AS "nextHop"
    FROM announcement announced JOIN agent a ON a.id = announced.agent_id AND a.revoked_at IS NULL JOIN node n ON n.id = a.node_id
    JOIN agent_view v ON v.id = a.id AND v.state IN ('in-sync', 'out-of-sync')
    WHERE announced.cluster_id = ${clusterId} AND announced.state = 'offered' ORDER BY n.name, a.id, announced.prefix LIMIT 10000`;
  const offered = Map.groupBy(rows, (each) => each.prefix);
  const alone = [...offered].flatMap(([prefix, of]) => (of.length < 2 ? [prefix] : []));
  const bySpeaker = [...Map.groupBy(rows, (each) => each.agentId).values()];
  const sharing = bySpeaker.filter((own) => own.every(({ prefix }) => !alone.includes(prefix)));
  const replicas = sharing.flatMap((own): ExperimentReplica[] => {
    const [first] = own;
    if (!first) return [];
    const { agentId, nodeId, nodeName } = first;
    return [{ agentId, nodeId, nodeName, hops: Object.fromEntries(own.map((each) => [each.prefix, each.nextHop])) }];
  });
  const draining = new Set(rows.flatMap((each) => (each.isDraining ? [each.nodeName] : [])));
  return { replicas, draining: [...draining], alone };
}

/** selectDrainingNodes returns the nodes of a cluster that users drain, and that announce something. */
export async function selectDrainingNodes(tx: Tx, clusterId: string): Promise<string[]> {
  const rows = await tx.$queryRaw<{ name: string }[]>`
    SELECT DISTINCT n.name FROM node n JOIN agent a ON a.node_id = n.id AND a.revoked_at IS NULL AND 'speaker' = ANY(a.roles)
    WHERE n.cluster_id = ${clusterId} AND n.draining_since IS NOT NULL ORDER BY n.name LIMIT 100`;
  return rows.map((each) => each.name);
}
