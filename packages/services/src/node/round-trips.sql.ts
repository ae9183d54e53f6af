import type { Tx } from "@fairlead/db";
import type { NodeDetail } from "@fairlead/domain/node";

/** selectRoundTripsTo returns the nodes to which the agents of a node measure round trips, as in their configs. */
export async function selectRoundTripsTo(tx: Tx, nodeId: string): Promise<NodeDetail["roundTripsTo"]> {
  return tx.$queryRaw`
    SELECT DISTINCT n.id, n.name FROM node_config c JOIN agent a ON a.id = c.agent_id AND a.revoked_at IS NULL
      CROSS JOIN jsonb_array_elements(coalesce(c.config #> '{node,echo,peers}', '[]')) AS peer JOIN node n ON n.id = peer ->> 'nodeId'
    WHERE c.node_id = ${nodeId} ORDER BY n.name`;
}
