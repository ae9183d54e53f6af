import { Prisma, type Tx } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import type { BgpSession } from "@fairlead/domain/routing";
import { inCluster, rankFound, type Scope } from "./rank-found.sql.ts";

export type BgpSessionRow = Omit<BgpSession, "trouble">;

/**
 * findBgpSessions finds sessions that aren't established, as agents that report see them. Between attempts the state of a
 * session changes every few seconds, so it counts from when it was lost, or from its first report. An agent that just
 * restarted is still connecting.
 */
export function findBgpSessions(tx: Tx, scope: Scope) {
  return rankFound<BgpSessionRow>(
    tx,
    scope,
    Prisma.sql`
      SELECT b.*, coalesce(lost.at, ${firstSeenAt("b.id")}) AS since, 'bgp-session-down' AS kind
      FROM bgp_session_view b
      CROSS JOIN LATERAL (
        SELECT max(t.at) AS at FROM bgp_transition t
        WHERE t.agent_id = b."agentId" AND t.kind = 'session' AND t.about = b."peerAddress"::inet
          AND 'established' IN (t.from_state, t.to_state)
      ) lost
      WHERE b."organizationId" = ${scope.organizationId} AND ${inCluster('b."clusterId"', scope)}
        AND b.state <> 'established' AND NOT b."isStale" AND b.id < ${newId("bgpSession", scope.before)}
        AND NOT EXISTS (
          SELECT 1 FROM event e
          WHERE e.organization_id = b."organizationId" AND e.subject_id = b."nodeId" AND e.at > ${scope.before} AND e.reason = 'AgentRestarted'
        )`,
  );
}

/** An id holds the time of its creation: ten digits to the base of 32, in milliseconds. */
function firstSeenAt(id: string): Prisma.Sql {
  return Prisma.sql`(
    SELECT to_timestamp(sum((strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(split_part(${Prisma.raw(id)}, '_', 2), place, 1)) - 1) * 32::numeric ^ (10 - place)) / 1000)
    FROM generate_series(1, 10) place
  )`;
}
