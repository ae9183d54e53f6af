import type { Tx } from "@fairlead/db";

/** selectSpeakers are the speakers of a cluster with the one address that each calls routers from. */
export function selectSpeakers(tx: Tx, clusterId: string): Promise<{ name: string; address: string }[]> {
  return tx.$queryRaw`
    SELECT DISTINCT n.name, said.address FROM bgp_status said
    JOIN agent a ON a.id = said.agent_id AND a.revoked_at IS NULL AND 'speaker' = ANY (a.roles)
    JOIN node n ON n.id = a.node_id
    WHERE n.cluster_id = ${clusterId} AND said.address <> '' ORDER BY n.name, address`;
}
