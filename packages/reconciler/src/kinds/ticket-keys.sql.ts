import type { Tx } from "@fairlead/db";
import { findPathProblem, type TicketKeys } from "@fairlead/domain/exposure";
import {
  acceptedServers,
  type SealedTicketEpoch,
  type SealedTicketKeys,
  type ServerTicketKeysConfig,
} from "@fairlead/domain/load-balancer";

/** HeldTicketKeys are the managed ticket keys of an exposure, and how they reach its servers. */
export type HeldTicketKeys = SealedTicketKeys & { spec: TicketKeys; servers: string[] };

/** selectTicketKeys returns the managed ticket keys of these exposures, still sealed. */
export async function selectTicketKeys(
  tx: Tx,
  exposureIds: readonly string[],
): Promise<ReadonlyMap<string, HeldTicketKeys>> {
  if (exposureIds.length === 0) return new Map();
  const rows = await tx.$queryRaw<(HeldTicketKeys & { exposureId: string })[]>`
    SELECT t.exposure_id AS "exposureId", t.revision, e.parameters -> 'ticketKeys' AS spec,
      ARRAY(SELECT member ->> 'id' FROM jsonb_array_elements(t.members) member WHERE member ->> 'kind' = 'server' ORDER BY 1) AS servers,
      (SELECT jsonb_agg(jsonb_build_object('number', s.epoch, 'sealed', s.sealed) ORDER BY array_position(t.epochs, s.epoch))
        FROM ticket_secret s WHERE s.exposure_id = t.exposure_id AND s.epoch = ANY(t.epochs)) AS epochs
    FROM ticket_rotation t JOIN exposure_in_effect_view e ON e.id = t.exposure_id
    WHERE t.exposure_id = ANY(${[...new Set(exposureIds)]}::text[]) AND e.parameters ->> 'names' = 'managed'`;
  return new Map(rows.map(({ exposureId, ...held }) => [exposureId, held]));
}

/** ofServices is the part that balancers get: they derive nothing, and have no use for where the files are. */
export function ofServices({ revision, epochs }: HeldTicketKeys): SealedTicketKeys {
  return { revision, epochs: epochs.map(({ number, sealed }): SealedTicketEpoch => ({ number, sealed })) };
}

/** ofServer is the part for an instance; undefined if it has no keys yet, or its agent would reject where they belong. */
export function ofServer(held: HeldTicketKeys | undefined, instance: string): ServerTicketKeysConfig | undefined {
  if (!held?.servers.includes(instance) || findPathProblem(held.spec, instance) !== null) return undefined;
  const { software, folder, socket = "" } = held.spec;
  return { ...ofServices(held), software, folder, socket, servers: acceptedServers(instance, held.servers) };
}
