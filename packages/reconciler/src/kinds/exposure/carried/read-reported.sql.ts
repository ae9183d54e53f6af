import type { Tx } from "@fairlead/db";
import { checkOf, type DesiredExposure, type Protocol } from "@fairlead/domain/exposure";
import type { CarriedBackend, CarriedReplica, ReplicaRole } from "@fairlead/domain/load-balancer";

export type Reported = {
  replicas: (CarriedReplica & { loadBalancerId: string; role: ReplicaRole })[];
  backends: (CarriedBackend & {
    id: string;
    loadBalancerId: string;
    address: string;
    stored: string;
    /** The replicas that have applied it, by their agents' reports. */
    carriedBy: string[];
  })[];
};

/**
 * readReported returns the last reports of agents about an exposure's replicas and backends. Silent agents don't count,
 * except for a backend that no other agent reports on.
 */
export async function readReported(tx: Tx, { healthCheck, loadBalancers }: DesiredExposure): Promise<Reported> {
  const ids = loadBalancers.filter((each) => !each.deletedAt).map((each) => each.id);
  const replicas = await tx.$queryRaw<Reported["replicas"]>`
    /* planned once */
    SELECT r.id, r.role, r.load_balancer_id AS "loadBalancerId", CASE WHEN r.agent_id IS NOT NULL THEN n.name END AS "nodeName",
      coalesce(v.state IN ('in-sync', 'out-of-sync'), false) AS speaks, s.ready, coalesce(s.message, '') AS message
    FROM replica r LEFT JOIN replica_status s ON s.replica_id = r.id
    LEFT JOIN agent_view v ON v.id = r.agent_id LEFT JOIN node n ON n.id = v."nodeId"
    WHERE r.load_balancer_id = ANY(${ids}::text[]) ORDER BY r.load_balancer_id, r.role DESC, r.ordinal`;
  const rows = await tx.$queryRaw<(Omit<Reported["backends"][number], "isChecked"> & { protocol: Protocol })[]>`
    /* planned once */
    SELECT b.id, b.load_balancer_id AS "loadBalancerId", b.instance, b.protocol, host(b.address) AS address, b.state, b.health AS stored,
      coalesce(worst.health, 'unknown') AS health, coalesce(worst.message, '') AS message,
      ARRAY(SELECT s.replica_id FROM backend_status s WHERE s.backend_id = b.id) AS "carriedBy"
    FROM backend b LEFT JOIN LATERAL (
      SELECT s.health, s.message FROM backend_status s JOIN replica r ON r.id = s.replica_id
      LEFT JOIN agent_view v ON v.id = r.agent_id
      WHERE s.backend_id = b.id
      ORDER BY coalesce(v.state, '') IN ('in-sync', 'out-of-sync') DESC,
        array_position(ARRAY['down', 'unknown', 'up'], s.health), r.ordinal LIMIT 1
    ) worst ON true
    WHERE b.load_balancer_id = ANY(${ids}::text[]) ORDER BY b.load_balancer_id, b.instance, b.port`;
  const backends = rows.map(({ protocol, ...row }) => ({ ...row, isChecked: checkOf(healthCheck, protocol) !== null }));
  return { replicas, backends };
}

/** writeHealth stores the worst reported health with each backend, for lists, and returns whether any changed. */
export async function writeHealth(tx: Tx, reported: Reported, now: Date): Promise<boolean> {
  const changed = reported.backends.filter((each) => each.health !== each.stored);
  if (changed.length === 0) return false;
  await tx.$executeRaw`
    UPDATE backend SET health = found.health, observed_at = ${now}
    FROM unnest(${changed.map((each) => each.id)}::text[], ${changed.map((each) => each.health)}::text[]) AS found (id, health)
    WHERE backend.id = found.id`;
  return true;
}
