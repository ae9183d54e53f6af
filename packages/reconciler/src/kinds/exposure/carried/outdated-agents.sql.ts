import type { Tx } from "@fairlead/db";
import { type OutdatedAgent, sessionProtocol } from "@fairlead/domain/load-balancer";

/**
 * selectOutdatedAgents returns the agents that carry these load balancers of the strategy session, or are next to their
 * servers, and whose version lacks what the exposure may use: managed ticket keys, a proxy, or a tunnel to pods. Pods that read
 * their keys from a Secret need no agent for them.
 */
export async function selectOutdatedAgents(tx: Tx, loadBalancerIds: readonly string[]): Promise<OutdatedAgent[]> {
  if (loadBalancerIds.length === 0) return [];
  return tx.$queryRaw<OutdatedAgent[]>`
    WITH carried AS (
      SELECT l.id, l.cluster_id, coalesce(e.parameters ->> 'names', '') = 'managed' AS managed,
        e.parameters -> 'ticketKeys' ->> 'secret' IS NULL AS by_agents,
        coalesce(e.parameters -> 'fallbacks' ? 'proxy', false) AS proxied, c.kind = 'kubernetes' AND NOT e.parameters ? 'delivery' AS wrapped
      FROM load_balancer l JOIN exposure_in_effect_view e ON e.id = l.exposure_id JOIN cluster c ON c.id = l.cluster_id
      WHERE l.id = ANY(${[...loadBalancerIds]}::text[])
    ), needed AS (
      SELECT r.agent_id AS id, 'balancer' AS role FROM carried JOIN replica r ON r.load_balancer_id = carried.id
      WHERE carried.managed OR carried.proxied
      UNION SELECT a.id, 'backend' FROM carried JOIN backend b ON b.load_balancer_id = carried.id
      JOIN instance i ON i.cluster_id = carried.cluster_id AND i.name = b.instance AND b.address = ANY(i.addresses)
      JOIN node o ON o.cluster_id = carried.cluster_id AND o.name = i.node_name JOIN agent a ON a.node_id = o.id AND 'backend' = ANY(a.roles)
      WHERE carried.managed AND carried.by_agents OR carried.wrapped
    )
    SELECT o.name AS "nodeName", needed.role FROM needed JOIN agent a ON a.id = needed.id JOIN node o ON o.id = a.node_id
    WHERE a.revoked_at IS NULL AND a.protocol_version < ${sessionProtocol} ORDER BY needed.role DESC, o.name`;
}
