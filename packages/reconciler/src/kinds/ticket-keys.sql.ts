import type { Tx } from "@fairlead/db";
import { findPathProblem, type TicketKeys } from "@fairlead/domain/exposure";
import {
  acceptedServers,
  podTicketNames,
  type SealedTicketEpoch,
  type SealedTicketKeys,
  type ServerTicketKeysConfig,
  type TicketPhase,
} from "@fairlead/domain/load-balancer";

/** HeldTicketKeys are the managed ticket keys of an exposure, and how they reach its servers. */
export type HeldTicketKeys = SealedTicketKeys & { spec: TicketKeys; servers: string[] };

/** selectTicketKeys returns the managed ticket keys of these exposures, still sealed. */
export async function selectTicketKeys(
  tx: Tx,
  exposureIds: readonly string[],
): Promise<ReadonlyMap<string, HeldTicketKeys>> {
  if (exposureIds.length === 0) return new Map();
  const rows = await tx.$queryRaw<(HeldTicketKeys & { exposureId: string; phase: TicketPhase })[]>`
    SELECT t.exposure_id AS "exposureId", t.phase, t.revision, e.parameters -> 'ticketKeys' AS spec,
      ARRAY(SELECT member ->> 'id' FROM jsonb_array_elements(t.members) member WHERE member ->> 'kind' = 'server' ORDER BY 1) AS servers,
      (SELECT jsonb_agg(jsonb_build_object('number', s.epoch, 'sealed', s.sealed) ORDER BY array_position(t.epochs, s.epoch))
        FROM ticket_secret s WHERE s.exposure_id = t.exposure_id AND s.epoch = ANY(t.epochs)) AS epochs
    FROM ticket_rotation t JOIN exposure_in_effect_view e ON e.id = t.exposure_id
    WHERE t.exposure_id = ANY(${[...new Set(exposureIds)]}::text[]) AND e.parameters ->> 'names' = 'managed'`;
  return new Map(
    rows.map(({ exposureId, phase, ...held }) => [
      exposureId,
      isForPods(held.spec) ? { ...held, epochs: withMarks(held, phase) } : held,
    ]),
  );
}

/** isForPods reports whether pods read the keys from a Secret, so that no agent gets them. */
export function isForPods({ secret }: Pick<TicketKeys, "secret">): boolean {
  return secret !== undefined;
}

function withMarks({ epochs, spec }: HeldTicketKeys, phase: TicketPhase): SealedTicketEpoch[] {
  const sealed = new Map(epochs.map((each) => [each.number, each.sealed]));
  const names = podTicketNames({ phase, epochs: epochs.map((each) => each.number) }, spec.software);
  return names.map(({ epoch, isMark }) => ({
    number: epoch,
    sealed: sealed.get(epoch) ?? "",
    ...(isMark ? { isMark } : {}),
  }));
}

/** ofServices is the part that balancers get: they derive nothing, and have no use for where the files are. */
export function ofServices({ revision, epochs }: HeldTicketKeys): SealedTicketKeys {
  return { revision, epochs: [...epochs] };
}

/**
 * ofServer is the part for the agent of an instance; undefined if it has no keys yet, reads them itself, or the agent would reject
 * where they belong.
 */
export function ofServer(held: HeldTicketKeys | undefined, instance: string): ServerTicketKeysConfig | undefined {
  if (!held?.servers.includes(instance) || isForPods(held.spec)) return undefined;
  if (findPathProblem(held.spec, instance) !== null) return undefined;
  const { software, folder, socket = "" } = held.spec;
  return { ...ofServices(held), software, folder, socket, servers: acceptedServers(instance, held.servers) };
}
