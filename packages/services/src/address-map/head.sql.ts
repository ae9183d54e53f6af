import type { Tx } from "@fairlead/db";
import { type AddressMap, groupMappings, type MapAccess } from "@fairlead/domain/address-map";
import type { ExposedPort } from "@fairlead/domain/exposure";

/** MapHead is the part of an exposure's map that is read without its entries. */
export type MapHead = {
  id: string;
  organizationId: string;
  /** Of the spec, which names the ports. */
  specGeneration: number;
  generation: number;
  /** null before the first change. Needed with the generation, because a restored database repeats generations. */
  changedAt: Date | null;
  observedAt: Date | null;
  access: MapAccess;
};

/** selectMapHeads reads the heads of several maps at once. It checks no permission: its callers do. */
export async function selectMapHeads(tx: Tx, ids: readonly string[]): Promise<MapHead[]> {
  return tx.$queryRaw<MapHead[]>`
    SELECT e.id, e.organization_id AS "organizationId", e.generation AS "specGeneration", e.map_access AS access,
      coalesce(s.map_generation, 0) AS generation, s.map_changed_at AS "changedAt", s.observed_at AS "observedAt"
    FROM exposure e LEFT JOIN exposure_status s ON s.exposure_id = e.id WHERE e.id = ANY(${ids}::text[])`;
}

type Row = MapHead & {
  ports: ExposedPort[];
  mappings: (Parameters<typeof groupMappings>[0][number] & { sinceMs: number })[];
};

/** selectMap reads a map and its head in one statement, so that no change falls between the two. */
export async function selectMap(tx: Tx, id: string): Promise<{ head: MapHead; map: AddressMap } | null> {
  const [row] = await tx.$queryRaw<Row[]>`
    SELECT e.id, e.organization_id AS "organizationId", e.generation AS "specGeneration", e.map_access AS access, e.ports,
      coalesce(s.map_generation, 0) AS generation, s.map_changed_at AS "changedAt", s.observed_at AS "observedAt",
      coalesce(m.mappings, '[]'::jsonb) AS mappings
    FROM exposure_in_effect_view e LEFT JOIN exposure_status s ON s.exposure_id = e.id
    LEFT JOIN LATERAL (
      SELECT jsonb_agg(jsonb_build_object('instance', instance, 'pod', pod, 'node', node, 'protocol', protocol,
        'internalAddress', host(internal_address), 'internalPort', internal_port,
        'externalAddress', external_address, 'externalPort', external_port, 'serverName', server_name, 'ready', ready,
        'sinceMs', extract(epoch FROM since) * 1000, 'generation', generation)) AS mappings
      FROM address_mapping WHERE exposure_id = e.id
    ) m ON true
    WHERE e.id = ${id}`;
  if (!row) return null;
  const { ports, mappings, ...head } = row;
  const entries = groupMappings(
    mappings.map(({ sinceMs, ...each }) => ({ ...each, since: new Date(Number(sinceMs)) })),
    ports,
  );
  return { head, map: { exposureId: id, generation: head.generation, observedAt: head.observedAt, entries } };
}
