import { Prisma, type Tx } from "@fairlead/db";
import { inCluster, rankFound, type Scope } from "./rank-found.sql.ts";

export type TicketKeysRow = {
  id: string;
  name: string;
  clusterId: string;
  clusterName: string;
  /** Some of the outdated servers, by their instances. */
  servers: string[];
  serverCount: number;
  replicaCount: number;
  /** The Secret from which pods read them; empty for none. */
  secret: string;
  /** Why it doesn't have the newest ones; empty if it does. */
  secretProblem: string;
};

/** For how long a server may lack the newest keys before someone has to look: agents apply them within seconds. */
const lagsForMinutes = 15;

/** findOutdatedTicketKeys finds exposures with servers or replicas that have lacked the newest managed ticket keys for long. */
export function findOutdatedTicketKeys(tx: Tx, scope: Scope) {
  return rankFound<TicketKeysRow>(
    tx,
    scope,
    Prisma.sql`
      SELECT e.id, e.name, e.cluster_id AS "clusterId", c.name AS "clusterName", lagging.servers[1:3] AS servers,
        cardinality(lagging.servers) AS "serverCount", lagging.replicas::int AS "replicaCount",
        coalesce(p.name, '') AS secret, coalesce(p.problem, '') AS "secretProblem",
        lagging.since + ${lagsForMinutes} * interval '1 minute' AS since, 'exposure-ticket-keys-outdated' AS kind
      FROM exposure e JOIN cluster c ON c.id = e.cluster_id JOIN ticket_rotation t ON t.exposure_id = e.id
      LEFT JOIN pod_ticket_secret p ON p.exposure_id = e.id
      CROSS JOIN LATERAL (
        SELECT coalesce(array_agg(member ->> 'id' ORDER BY member ->> 'id') FILTER (WHERE member ->> 'kind' = 'server'), '{}') AS servers,
          count(*) FILTER (WHERE member ->> 'kind' = 'replica') AS replicas, min((member ->> 'outdatedSince')::timestamptz) AS since
        FROM jsonb_array_elements(t.members) member WHERE member ->> 'outdatedSince' IS NOT NULL
      ) lagging
      WHERE e.organization_id = ${scope.organizationId} AND ${inCluster("e.cluster_id", scope)}
        AND e.deleted_at IS NULL AND e.paused_at IS NULL AND lagging.since IS NOT NULL`,
  );
}
