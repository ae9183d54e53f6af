import type { Tx } from "@fairlead/db";

/** How long the time is that figures are an average of. */
export const measuredOverMs = 60_000;
/** Of one answer: past it, no page shows them all. */
const mostMeasured = 4_000;

export type AskedHop = { clusterId: string; prefix: string; address: string };
export type Measured = { throughputBps: number; measuredAt: Date };

/**
 * measureHops answers what balancers say came to them of what a prefix is announced for, by the position of each hop
 * that was asked for. A balancer counts by its load balancer, so of one with two addresses both are counted.
 */
export async function measureHops(tx: Tx, asked: readonly AskedHop[], now: Date): Promise<Map<number, Measured>> {
  const hops = asked.slice(0, mostMeasured);
  if (hops.length === 0) return new Map();
  const since = new Date(now.getTime() - measuredOverMs);
  const rows = await tx.$queryRaw<(Measured & { index: number })[]>`
    SELECT asked.index::int - 1 AS index, sum(said.bps) AS "throughputBps", min(said.at) AS "measuredAt"
    FROM unnest(${hops.map((each) => each.clusterId)}::text[], ${hops.map((each) => each.prefix)}::inet[],
      ${hops.map((each) => each.address)}::inet[]) WITH ORDINALITY AS asked (cluster_id, prefix, next_hop, index)
    JOIN announcement offer ON offer.cluster_id = asked.cluster_id AND offer.next_hop = asked.next_hop AND offer.prefix = asked.prefix
    JOIN agent speaker ON speaker.id = offer.agent_id AND speaker.revoked_at IS NULL
    JOIN replica r ON r.load_balancer_id = offer.load_balancer_id
    JOIN agent balancer ON balancer.id = r.agent_id AND balancer.node_id = speaker.node_id
    JOIN balancer_status b ON b.agent_id = r.agent_id
      AND (b.address = host(offer.next_hop) OR (strpos(b.address, ':') > 0) <> (family(offer.next_hop) = 6))
    JOIN series s ON s.subject_id = offer.load_balancer_id AND s.metric = 'throughputBps'
      AND s.labels = '{"agent":"' || r.agent_id || '"}'
    CROSS JOIN LATERAL (
      SELECT avg(value) AS bps, max(at) AS at FROM sample WHERE series_id = s.id AND at > ${since} AND at <= ${now}
    ) said
    WHERE said.at IS NOT NULL GROUP BY 1`;
  return new Map(rows.map(({ index, ...measured }) => [index, measured]));
}
