import { Prisma, type Tx } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import type { KnownBackend, WantedBackend } from "@fairlead/domain/load-balancer";
import { workloadIn } from "@fairlead/services";

export type ExposedInstance = {
  name: string;
  clusterId: string;
  nodeName: string;
  addresses: string[];
  ready: boolean;
  weight: number;
};

/**
 * selectExposed returns the instances that an exposure selects, or selected when it was paused, ordered by name. A standby one
 * has the weight 0.
 */
export async function selectExposed(tx: Tx, exposureId: string): Promise<ExposedInstance[]> {
  return tx.$queryRaw<ExposedInstance[]>`
    SELECT i.name, i.cluster_id AS "clusterId", i.node_name AS "nodeName", ARRAY(SELECT host(a) FROM unnest(i.addresses) WITH ORDINALITY AS u (a, n) ORDER BY n) AS addresses, i.ready,
      CASE WHEN e.strategy = 'adaptive' AND i.labels @> (e.parameters -> 'standby') THEN 0 ELSE i.weight END AS weight
    FROM exposure_in_effect_view e CROSS JOIN LATERAL (
      SELECT e.cluster_id AS id UNION SELECT l.cluster_id FROM load_balancer l WHERE l.exposure_id = e.id AND l.address_of_id IS NOT NULL AND l.deleted_at IS NULL
    ) c JOIN instance i ON i.cluster_id = c.id
    WHERE e.id = ${exposureId} AND exposes(${workloadIn(Prisma.sql`c.id`)}, i.name, i.workload, i.labels) ORDER BY i.name`;
}

/** A backend, and the balancer that it is behind. */
export type PlacedBackend = WantedBackend & { loadBalancerId: string };

/**
 * selectWantedBackends returns what was decided before. A backend that a driver observed has no time of its own; it
 * counts from when it was observed. An instance that the exposure no longer selects isn't gone.
 */
export async function selectWantedBackends(tx: Tx, exposureId: string): Promise<(PlacedBackend & KnownBackend)[]> {
  return tx.$queryRaw<(PlacedBackend & KnownBackend)[]>`
    SELECT b.load_balancer_id AS "loadBalancerId", b.instance, b.protocol, host(b.address) AS address, b.port, b.weight, b.state,
      coalesce(b.state_since, b.observed_at) AS "stateSince", b.returns, b.node_name AS "nodeName",
      NOT EXISTS (SELECT 1 FROM instance i WHERE i.cluster_id = l.cluster_id AND i.name = b.instance AND b.address = ANY(i.addresses)) AS "isGone"
    FROM backend b JOIN load_balancer l ON l.id = b.load_balancer_id WHERE l.exposure_id = ${exposureId} ORDER BY b.id`;
}

export async function dropBackends(tx: Tx, backends: readonly PlacedBackend[]): Promise<void> {
  if (backends.length === 0) return;
  await tx.$executeRaw`
    DELETE FROM backend WHERE (load_balancer_id, protocol, address, port) IN (
      SELECT * FROM unnest(${backends.map((b) => b.loadBalancerId)}::text[], ${backends.map((b) => b.protocol)}::text[], ${backends.map((b) => b.address)}::inet[], ${backends.map((b) => b.port)}::int[]))`;
}

/** writeBackends keeps the ids of existing backends: agents and charts identify a backend by its id. */
export async function writeBackends(tx: Tx, backends: readonly PlacedBackend[], now: Date): Promise<void> {
  if (backends.length === 0) return;
  const of = <T>(pick: (backend: PlacedBackend) => T) => backends.map(pick);
  await tx.$executeRaw`
    INSERT INTO backend (health, observed_at, load_balancer_id, id, instance, protocol, address, port, weight, state, state_since, returns, node_name)
    SELECT 'unknown', ${now}::timestamptz, * FROM unnest(${of((b) => b.loadBalancerId)}::text[],
      ${of(() => newId("backend", now))}::text[], ${of((b) => b.instance)}::text[], ${of((b) => b.protocol)}::text[],
      ${of((b) => b.address)}::inet[], ${of((b) => b.port)}::int[], ${of((b) => b.weight)}::int[],
      ${of((b) => b.state)}::text[], ${of((b) => b.stateSince)}::timestamptz[], ${of((b) => b.returns === true)}::boolean[], ${of((b) => b.nodeName ?? "")}::text[])
    ON CONFLICT (load_balancer_id, protocol, address, port) DO UPDATE SET instance = excluded.instance,
      weight = excluded.weight, state = excluded.state, state_since = excluded.state_since, returns = excluded.returns,
      node_name = excluded.node_name`;
}
