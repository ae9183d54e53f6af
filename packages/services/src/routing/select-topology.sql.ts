import { Prisma } from "@fairlead/db";
import type { KernelFlow, SessionEnd } from "@fairlead/domain/routing";
import type { ServiceContext } from "../context.ts";
import { equals } from "../control/filter.sql.ts";
import { measuredOverMs } from "./measure-hops.sql.ts";

type Ctx = Pick<ServiceContext, "db" | "organizationId" | "now">;

/** Per diagram: many ends are grouped, but they must be read first. */
export const mostEnds = 20_000;

export function selectSessionEnds(ctx: Ctx, clusterId: string | undefined): Promise<SessionEnd[]> {
  return ctx.db.$queryRaw`
    SELECT "clusterId", "nodeId", "nodeName", role, coalesce(nullif("peerName", ''), "peerAddress") AS "peerName", family,
      state = 'established' AS "isUp", "isStale"
    FROM bgp_session_view WHERE "organizationId" = ${ctx.organizationId} AND ${equals("clusterId", clusterId)}
    ORDER BY "clusterId", "nodeName", "peerAddress", id LIMIT ${mostEnds}`;
}

/** selectFlows sums the next hops of all of a router's routes, and what the balancers there measured. */
export function selectFlows({ db, organizationId, now }: Ctx, clusterId: string | undefined): Promise<KernelFlow[]> {
  const since = new Date(now.getTime() - measuredOverMs);
  const ofCluster = clusterId ? Prisma.sql`r.cluster_id = ${clusterId}` : Prisma.sql`true`;
  return db.$queryRaw`
    WITH hop AS (
      SELECT r.cluster_id, r.agent_id, (each ->> 'address')::inet AS address, sum((each ->> 'weight')::float8) AS weight
      FROM route r CROSS JOIN LATERAL jsonb_array_elements(r.next_hops) each
      WHERE r.organization_id = ${organizationId} AND ${ofCluster} GROUP BY 1, 2, 3
    ), flow AS (
      SELECT hop.cluster_id, hop.agent_id, who.node_id, sum(hop.weight) AS weight FROM hop CROSS JOIN LATERAL (
        SELECT speaker.node_id FROM announcement announced JOIN agent speaker ON speaker.id = announced.agent_id AND speaker.revoked_at IS NULL
        WHERE announced.cluster_id = hop.cluster_id AND announced.next_hop = hop.address LIMIT 1
      ) who GROUP BY 1, 2, 3
    ), measured AS (
      SELECT s.subject_id AS node_id, sum(latest.bps) AS bps FROM series s CROSS JOIN LATERAL (
        SELECT avg(value) AS bps FROM sample WHERE series_id = s.id AND at > ${since} AND at <= ${now}
      ) latest WHERE s.subject_id IN (SELECT node_id FROM flow) AND s.metric = 'throughputBps' AND latest.bps IS NOT NULL GROUP BY 1
    )
    SELECT flow.cluster_id AS "clusterId", own.name AS "routerName", balancer.name AS "balancerName", flow.weight,
      measured.bps AS "throughputBps",
      now() - t.observed_at > greatest(3 * v."reportIntervalMs", 15000) * interval '1 millisecond' AS "isStale"
    FROM flow JOIN agent a ON a.id = flow.agent_id AND a.revoked_at IS NULL JOIN node own ON own.id = a.node_id
    JOIN agent_view v ON v.id = a.id JOIN bgp_status t ON t.agent_id = a.id JOIN node balancer ON balancer.id = flow.node_id
    LEFT JOIN measured ON measured.node_id = flow.node_id ORDER BY 1, 2, 3 LIMIT ${mostEnds}`;
}
