import type { Tx } from "@fairlead/db";

/** selectSpeakers are the balancers of a cluster that tell of something, where they are reached. */
export function selectSpeakers(tx: Tx, clusterId: string): Promise<{ name: string; address: string }[]> {
  return tx.$queryRaw`
    SELECT DISTINCT n.name, host(said.next_hop) AS address FROM announcement said
    JOIN agent a ON a.id = said.agent_id AND a.revoked_at IS NULL JOIN node n ON n.id = a.node_id
    WHERE said.cluster_id = ${clusterId} ORDER BY n.name, address`;
}
