import type { Tx } from "@fairlead/db";
import type { ObservedLoadBalancer } from "@fairlead/domain/exposure";

/**
 * changedBalancers returns the balancers whose observation differs from what is stored, or is the first one. PostgreSQL
 * compares, many balancers per statement: reading the stored rows of thousands would take longer than everything else.
 */
export async function changedBalancers(
  tx: Tx,
  exposureId: string,
  seen: ObservedLoadBalancer[],
): Promise<ObservedLoadBalancer[]> {
  if (seen.length === 0) return [];
  const ids = seen.map((each) => each.id);
  const changed = new Set<string>();
  for (const find of [unlikeStatuses, unlikeReplicas, unlikeBackends])
    for (const { id } of await find(tx, ids, seen)) changed.add(id);
  for (const { id } of await unlikeMappings(tx, exposureId, ids, seen)) changed.add(id);
  return seen.filter((each) => changed.has(each.id));
}

type Unlike = Promise<{ id: string }[]>;

function unlikeStatuses(tx: Tx, ids: string[], seen: ObservedLoadBalancer[]): Unlike {
  return tx.$queryRaw`
    SELECT seen.id FROM unnest(${ids}::text[], ${seen.map((each) => each.phase)}::text[],
      ${seen.map((each) => each.message)}::text[], ${seen.map((each) => each.address)}::text[])
      AS seen (id, phase, message, address)
    LEFT JOIN load_balancer_status AS stored ON stored.load_balancer_id = seen.id
    WHERE (stored.phase, stored.message, stored.address) IS DISTINCT FROM (seen.phase, seen.message, seen.address)`;
}

function unlikeReplicas(tx: Tx, ids: string[], seen: ObservedLoadBalancer[]): Unlike {
  const replicas = seen.flatMap((each) => each.replicas.map((replica) => ({ ...replica, of: each.id })));
  const of = <T>(pick: (each: (typeof replicas)[number]) => T) => replicas.map(pick);
  return tx.$queryRaw`
    SELECT DISTINCT coalesce(seen.load_balancer_id, stored.load_balancer_id) AS id
    FROM unnest(${of((each) => each.of)}::text[], ${of((each) => each.id)}::text[], ${of((each) => each.nodeId)}::text[],
      ${of((each) => each.ready)}::boolean[], ${of((each) => each.message)}::text[])
      AS seen (load_balancer_id, id, node_id, ready, message)
    FULL JOIN (
      SELECT replica.load_balancer_id, replica.id, status.node_id, status.ready, status.message
      FROM replica JOIN replica_status AS status ON status.replica_id = replica.id
      WHERE replica.load_balancer_id = ANY(${ids}::text[])
    ) AS stored USING (load_balancer_id, id)
    WHERE (stored.node_id, stored.ready, stored.message) IS DISTINCT FROM (seen.node_id, seen.ready, seen.message)`;
}

function unlikeBackends(tx: Tx, ids: string[], seen: ObservedLoadBalancer[]): Unlike {
  const backends = seen.flatMap((each) => each.backends.map((backend) => ({ ...backend, of: each.id })));
  const of = <T>(pick: (each: (typeof backends)[number]) => T) => backends.map(pick);
  return tx.$queryRaw`
    SELECT DISTINCT coalesce(seen.load_balancer_id, stored.load_balancer_id) AS id
    FROM unnest(${of((each) => each.of)}::text[], ${of((each) => each.protocol)}::text[],
      ${of((each) => each.address)}::inet[], ${of((each) => each.port)}::int[], ${of((each) => each.instance)}::text[],
      ${of((each) => each.weight)}::int[], ${of((each) => each.state)}::text[], ${of((each) => each.health)}::text[])
      AS seen (load_balancer_id, protocol, address, port, instance, weight, state, health)
    FULL JOIN (SELECT * FROM backend WHERE load_balancer_id = ANY(${ids}::text[])) AS stored
      USING (load_balancer_id, protocol, address, port)
    WHERE (stored.instance, stored.weight, stored.state, stored.health)
      IS DISTINCT FROM (seen.instance, seen.weight, seen.state, seen.health)`;
}

function unlikeMappings(tx: Tx, exposureId: string, ids: string[], seen: ObservedLoadBalancer[]): Unlike {
  const mappings = seen.flatMap((each) => each.mappings.map((mapping) => ({ ...mapping, of: each.id })));
  const of = <T>(pick: (each: (typeof mappings)[number]) => T) => mappings.map(pick);
  return tx.$queryRaw`
    SELECT DISTINCT coalesce(seen.load_balancer_id, stored.load_balancer_id) AS id
    FROM unnest(${of((each) => each.of)}::text[], ${of((each) => each.protocol)}::text[],
      ${of((each) => each.internalAddress)}::inet[], ${of((each) => each.internalPort)}::int[],
      ${of((each) => each.instance)}::text[], ${of((each) => each.pod)}::text[], ${of((each) => each.node)}::text[],
      ${of((each) => each.externalAddress)}::text[], ${of((each) => each.externalPort)}::int[],
      ${of((each) => each.ready)}::boolean[])
      AS seen (load_balancer_id, protocol, internal_address, internal_port, instance, pod, node, external_address, external_port, ready)
    FULL JOIN (SELECT * FROM address_mapping WHERE exposure_id = ${exposureId} AND load_balancer_id = ANY(${ids}::text[])) AS stored
      USING (load_balancer_id, protocol, internal_address, internal_port)
    WHERE (stored.instance, stored.pod, stored.node, stored.external_address, stored.external_port, stored.ready)
      IS DISTINCT FROM (seen.instance, seen.pod, seen.node, seen.external_address, seen.external_port, seen.ready)`;
}
