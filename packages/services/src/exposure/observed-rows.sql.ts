import type { Tx } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import type { ObservedLoadBalancer } from "@fairlead/domain/exposure";

// The observed rows of load balancers, many balancers per statement. Existing ids are kept, so that a row that a user
// looks at stays the same. One statement may write a row only once: see eachOnce().

export async function selectBalancerIds(tx: Tx, exposureId: string): Promise<Set<string>> {
  const [row] = await tx.$queryRaw<{ ids: string[] | null }[]>`
    SELECT array_agg(id) AS ids FROM load_balancer WHERE exposure_id = ${exposureId}`;
  return new Set(row?.ids);
}

export type Touch = { now: Date; olderThanMs: number };

/**
 * touchObserved updates the observation time of balancers that did not change. Where it was updated so recently that it
 * makes no difference, it is skipped: for thousands of balancers the update takes longer than the observation.
 */
export async function touchObserved(tx: Tx, loadBalancerIds: string[], { now, olderThanMs }: Touch): Promise<void> {
  if (loadBalancerIds.length === 0) return;
  const before = new Date(now.getTime() - olderThanMs);
  const touched = await tx.$queryRaw<{ id: string }[]>`
    UPDATE load_balancer_status SET observed_at = ${now}
    WHERE load_balancer_id = ANY(${loadBalancerIds}::text[]) AND observed_at <= ${before}
    RETURNING load_balancer_id AS id`;
  if (touched.length === 0) return;
  const ids = touched.map((each) => each.id);
  await tx.$executeRaw`
    UPDATE replica_status SET observed_at = ${now} FROM replica
    WHERE replica.id = replica_status.replica_id AND replica.load_balancer_id = ANY(${ids}::text[])`;
  await tx.$executeRaw`UPDATE backend SET observed_at = ${now} WHERE load_balancer_id = ANY(${ids}::text[])`;
  await tx.$executeRaw`UPDATE address_mapping SET observed_at = ${now} WHERE load_balancer_id = ANY(${ids}::text[])`;
}

export async function writeStatuses(tx: Tx, observed: ObservedLoadBalancer[], now: Date): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO load_balancer_status
      (load_balancer_id, phase, message, address, replicas_ready, backends_up, backends_total, observed_at)
    SELECT *, ${now} FROM unnest(
      ${observed.map((each) => each.id)}::text[], ${observed.map((each) => each.phase)}::text[],
      ${observed.map((each) => each.message)}::text[], ${observed.map((each) => each.address)}::text[],
      ${observed.map((each) => each.replicas.filter((replica) => replica.ready).length)}::int[],
      ${observed.map((each) => each.backends.filter((backend) => backend.health === "up").length)}::int[],
      ${observed.map((each) => each.backends.length)}::int[])
    ON CONFLICT (load_balancer_id) DO UPDATE SET phase = excluded.phase, message = excluded.message,
      address = excluded.address, replicas_ready = excluded.replicas_ready, backends_up = excluded.backends_up,
      backends_total = excluded.backends_total, observed_at = excluded.observed_at`;
}

/** A status needs a replica that is still wanted, and a node that still exists. */
export async function replaceReplicaStatuses(tx: Tx, observed: ObservedLoadBalancer[], now: Date): Promise<void> {
  const replicas = observed.flatMap((each) => each.replicas.map((replica) => ({ ...replica, of: each.id })));
  const ids = replicas.map((each) => each.id);
  await tx.$executeRaw`
    DELETE FROM replica_status USING replica
    WHERE replica.id = replica_status.replica_id AND replica.id <> ALL(${ids}::text[])
      AND replica.load_balancer_id = ANY(${observed.map((each) => each.id)}::text[])`;
  await tx.$executeRaw`
    INSERT INTO replica_status (replica_id, node_id, ready, message, observed_at)
    SELECT DISTINCT ON (replica.id) replica.id, node.id, seen.ready, seen.message, ${now} FROM unnest(
      ${ids}::text[], ${replicas.map((each) => each.of)}::text[], ${replicas.map((each) => each.nodeId)}::text[],
      ${replicas.map((each) => each.ready)}::boolean[], ${replicas.map((each) => each.message)}::text[])
      AS seen (id, load_balancer_id, node_id, ready, message)
    JOIN replica ON replica.id = seen.id AND replica.load_balancer_id = seen.load_balancer_id
    LEFT JOIN node ON node.id = seen.node_id
    ON CONFLICT (replica_id) DO UPDATE SET node_id = excluded.node_id, ready = excluded.ready,
      message = excluded.message, observed_at = excluded.observed_at`;
}

export async function replaceBackends(tx: Tx, observed: ObservedLoadBalancer[], now: Date): Promise<void> {
  const backends = observed.flatMap((each) => each.backends.map((backend) => ({ ...backend, of: each.id })));
  const of = backends.map((each) => each.of);
  const protocols = backends.map((each) => each.protocol);
  const addresses = backends.map((each) => each.address);
  const ports = backends.map((each) => each.port);
  await tx.$executeRaw`
    DELETE FROM backend WHERE load_balancer_id = ANY(${observed.map((each) => each.id)}::text[])
      AND (load_balancer_id, protocol, address, port) NOT IN (
        SELECT * FROM unnest(${of}::text[], ${protocols}::text[], ${addresses}::inet[], ${ports}::int[]))`;
  await tx.$executeRaw`
    INSERT INTO backend (id, load_balancer_id, protocol, address, port, instance, weight, state, health, observed_at)
    SELECT *, ${now} FROM unnest(
      ${backends.map(() => newId("backend", now))}::text[], ${of}::text[], ${protocols}::text[], ${addresses}::inet[],
      ${ports}::int[], ${backends.map((each) => each.instance)}::text[], ${backends.map((each) => each.weight)}::int[],
      ${backends.map((each) => each.state)}::text[], ${backends.map((each) => each.health)}::text[])
    ON CONFLICT (load_balancer_id, protocol, address, port) DO UPDATE SET instance = excluded.instance,
      weight = excluded.weight, state = excluded.state, health = excluded.health, observed_at = excluded.observed_at`;
}
