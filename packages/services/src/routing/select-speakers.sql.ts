import type { Tx } from "@fairlead/db";

/** selectSpeakers returns the speakers of a cluster with the address from which each connects to routers. */
export function selectSpeakers(tx: Tx, clusterId: string): Promise<{ name: string; address: string }[]> {
  return tx.$queryRaw`
    SELECT DISTINCT n.name, reported.address FROM bgp_status reported
    JOIN agent a ON a.id = reported.agent_id AND a.revoked_at IS NULL AND 'speaker' = ANY (a.roles)
    JOIN node n ON n.id = a.node_id
    WHERE n.cluster_id = ${clusterId} AND reported.address <> '' ORDER BY n.name, address`;
}
