import type { Tx } from "@fairlead/db";
import type { Backend, Replica } from "@fairlead/domain";

// What belongs to one balancer. The caller has made sure that the balancer is its organisation's.

export function selectReplicas(tx: Tx, loadBalancerId: string): Promise<Replica[]> {
  return tx.$queryRaw<Replica[]>`
    SELECT r.id, r.node_id AS "nodeId", n.name AS "nodeName", r.ready, r.message, r.observed_at AS "observedAt"
    FROM replica r LEFT JOIN node n ON n.id = r.node_id WHERE r.load_balancer_id = ${loadBalancerId} ORDER BY r.ordinal`;
}

/** Bounded: a page that shows more than this many backends helps nobody, and the balancer's row has the counts. */
export function selectBackends(tx: Tx, loadBalancerId: string): Promise<Backend[]> {
  return tx.$queryRaw<Backend[]>`
    SELECT id, instance, host(address) AS address, port, weight, state, health, observed_at AS "observedAt"
    FROM backend WHERE load_balancer_id = ${loadBalancerId} ORDER BY backend.address, port LIMIT 2000`;
}
