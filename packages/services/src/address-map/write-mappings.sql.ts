import { Prisma, type Tx } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import type { InstanceChange } from "@fairlead/domain/address-map";
import type { ObservedMapping } from "@fairlead/domain/exposure";

/** A mapping, and the balancer that provides it. */
export type SeenMapping = ObservedMapping & { loadBalancerId: string };

type Row = Omit<SeenMapping, "serverName"> & { serverName: string | null };

/** All columns that make a difference between what is mapped and what is observed. */
const columns = Prisma.sql`load_balancer_id AS "loadBalancerId", instance, pod, node, protocol,
  host(internal_address) AS "internalAddress", internal_port AS "internalPort", external_address AS "externalAddress",
  external_port AS "externalPort", server_name AS "serverName", ready`;

/** selectStored reads all mappings of an exposure. */
export async function selectStored(tx: Tx, exposureId: string): Promise<SeenMapping[]> {
  const rows = await tx.$queryRaw<Row[]>`SELECT ${columns} FROM address_mapping WHERE exposure_id = ${exposureId}`;
  return rows.map(toSeen);
}

/**
 * selectConcerned reads the mappings of the instances that an observation concerns: all that its balancers or its ends
 * had or have.
 */
export async function selectConcerned(
  tx: Tx,
  exposureId: string,
  loadBalancerIds: string[],
  seen: SeenMapping[],
): Promise<SeenMapping[]> {
  const rows = await tx.$queryRaw<Row[]>`
    SELECT ${columns} FROM address_mapping WHERE exposure_id = ${exposureId} AND instance IN (
      SELECT instance FROM address_mapping WHERE exposure_id = ${exposureId} AND (load_balancer_id = ANY(${loadBalancerIds}::text[])
        OR (protocol, internal_address, internal_port) IN (
          SELECT * FROM unnest(${seen.map((each) => each.protocol)}::text[],
            ${seen.map((each) => each.internalAddress)}::inet[], ${seen.map((each) => each.internalPort)}::int[])))
      UNION SELECT unnest(${seen.map((each) => each.instance)}::text[]))`;
  return rows.map(toSeen);
}

/** An observed mapping omits a missing server name. */
function toSeen({ serverName, ...each }: Row): SeenMapping {
  return serverName === null ? each : { ...each, serverName };
}

/** raiseGeneration counts a change of a map, and returns its new generation. */
export async function raiseGeneration(tx: Tx, exposureId: string, now: Date): Promise<number> {
  const [row] = await tx.$queryRaw<{ generation: number }[]>`
    INSERT INTO exposure_status AS s (exposure_id, map_generation, map_changed_at, observed_at)
    VALUES (${exposureId}, 1, ${now}, ${now})
    ON CONFLICT (exposure_id) DO UPDATE SET map_generation = s.map_generation + 1, map_changed_at = ${now}
    RETURNING map_generation AS generation`;
  return row?.generation ?? 0;
}

export async function deleteOthers(tx: Tx, loadBalancerIds: string[], seen: SeenMapping[]): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM address_mapping WHERE load_balancer_id = ANY(${loadBalancerIds}::text[])
      AND (protocol, internal_address, internal_port) NOT IN (
        SELECT * FROM unnest(${seen.map((each) => each.protocol)}::text[],
          ${seen.map((each) => each.internalAddress)}::inet[], ${seen.map((each) => each.internalPort)}::int[]))`;
}

/** upsertMappings keeps the row of an existing internal end, and its generation and age where nothing changed. */
export async function upsertMappings(
  tx: Tx,
  exposure: { id: string; organizationId: string },
  seen: SeenMapping[],
  generation: number,
  now: Date,
): Promise<void> {
  const of = <T>(pick: (each: SeenMapping) => T) => seen.map(pick);
  await tx.$executeRaw`
    INSERT INTO address_mapping AS m (organization_id, exposure_id, observed_at, since, generation, id, load_balancer_id,
      instance, pod, node, protocol, internal_address, internal_port, external_address, external_port, server_name, ready)
    SELECT ${exposure.organizationId}, ${exposure.id}, ${now}, ${now}, ${generation}::int, * FROM unnest(
      ${of(() => newId("addressMapping", now))}::text[], ${of((each) => each.loadBalancerId)}::text[],
      ${of((each) => each.instance)}::text[], ${of((each) => each.pod)}::text[], ${of((each) => each.node)}::text[],
      ${of((each) => each.protocol)}::text[], ${of((each) => each.internalAddress)}::inet[],
      ${of((each) => each.internalPort)}::int[], ${of((each) => each.externalAddress)}::text[],
      ${of((each) => each.externalPort)}::int[], ${of((each) => each.serverName ?? null)}::text[],
      ${of((each) => each.ready)}::boolean[])
    ON CONFLICT (exposure_id, protocol, internal_address, internal_port) DO UPDATE SET
      generation = CASE WHEN (m.instance, m.pod, m.node, m.external_address, m.external_port, m.server_name, m.ready) IS DISTINCT FROM
        (excluded.instance, excluded.pod, excluded.node, excluded.external_address, excluded.external_port, excluded.server_name,
          excluded.ready) THEN excluded.generation ELSE m.generation END,
      since = CASE WHEN (m.instance, m.external_address, m.external_port, m.server_name, m.ready) IS DISTINCT FROM
        (excluded.instance, excluded.external_address, excluded.external_port, excluded.server_name, excluded.ready)
        THEN excluded.since ELSE m.since END,
      load_balancer_id = excluded.load_balancer_id, instance = excluded.instance, pod = excluded.pod, node = excluded.node,
      external_address = excluded.external_address, external_port = excluded.external_port,
      server_name = excluded.server_name, ready = excluded.ready, observed_at = excluded.observed_at`;
}

export async function insertChanges(
  tx: Tx,
  exposure: { id: string; organizationId: string },
  changes: InstanceChange[],
  generation: number,
  now: Date,
): Promise<void> {
  const json = (value: object | null) => (value === null ? null : JSON.stringify(value));
  await tx.$executeRaw`
    INSERT INTO address_mapping_change (organization_id, exposure_id, generation, at, id, instance, what, before, after)
    SELECT ${exposure.organizationId}, ${exposure.id}, ${generation}::int, ${now}, * FROM unnest(
      ${changes.map(() => newId("addressMappingChange", now))}::text[], ${changes.map((each) => each.instance)}::text[],
      ${changes.map((each) => each.what)}::text[], ${changes.map((each) => json(each.before))}::jsonb[],
      ${changes.map((each) => json(each.after))}::jsonb[])`;
}
