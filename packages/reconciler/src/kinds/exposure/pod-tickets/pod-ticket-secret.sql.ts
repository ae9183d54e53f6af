import type { Tx } from "@fairlead/db";
import type { TicketKeys } from "@fairlead/domain/exposure";
import type { TicketPhase } from "@fairlead/domain/load-balancer";

/** StoredSecret is the Secret that an exposure has in its cluster, or may have. */
export type StoredSecret = SecretContent & { namespace: string; name: string; problem: string };

/** SecretContent is what a Secret has: the keys of a revision, as servers with this software read them in this folder. */
export type SecretContent = { revision: number; software: string; folder: string };

export async function findPodTicketSecret(tx: Tx, exposureId: string): Promise<StoredSecret | null> {
  const select = { namespace: true, name: true, revision: true, software: true, folder: true, problem: true };
  return tx.podTicketSecret.findUnique({ where: { exposureId }, select });
}

/** WantedSecret is the rotation whose keys a Secret should have, with the sealed secrets of its epochs. */
export type WantedSecret = {
  name: string;
  organizationId: string;
  clusterId: string;
  namespace: string;
  spec: TicketKeys & { secret: string };
  phase: TicketPhase;
  epochs: number[];
  revision: number;
  servers: string[];
  secrets: Record<string, string>;
};

/** findWantedSecret returns null unless the exposure's keys are managed, and read by pods from a Secret. */
export async function findWantedSecret(tx: Tx, exposureId: string): Promise<WantedSecret | null> {
  const [row] = await tx.$queryRaw<WantedSecret[]>`
    SELECT e.name_in_effect AS name, e.organization_id AS "organizationId", e.cluster_id AS "clusterId",
      coalesce(e.workload ->> 'namespace', 'default') AS namespace, e.parameters -> 'ticketKeys' AS spec, t.phase, t.epochs, t.revision,
      ARRAY(SELECT member ->> 'id' FROM jsonb_array_elements(t.members) member WHERE member ->> 'kind' = 'server' ORDER BY 1) AS servers,
      (SELECT jsonb_object_agg(s.epoch, s.sealed) FROM ticket_secret s WHERE s.exposure_id = t.exposure_id) AS secrets
    FROM exposure_in_effect_view e JOIN ticket_rotation t ON t.exposure_id = e.id
    WHERE e.id = ${exposureId} AND e.deleted_at IS NULL AND e.strategy = 'session' AND e.parameters ->> 'names' = 'managed'
      AND e.parameters -> 'ticketKeys' ->> 'secret' IS NOT NULL`;
  return row ?? null;
}
