import type { Tx } from "@fairlead/db";

/** The time over which figures are averaged. */
export const measuredOverMs = 60_000;
/** Per answer: no page shows more. */
const mostMeasured = 4_000;

export type RequestedHop = { clusterId: string; prefix: string; address: string };
export type Measured = { throughputBps: number; measuredAt: Date };

/**
 * measureHops returns the throughput that balancers measured at each requested hop, for what its prefix is announced
 * for, by the hop's position. A balancer counts per load balancer, so of one with two addresses both are counted.
 */
export async function measureHops(
  tx: Tx,
  requested: readonly RequestedHop[],
  now: Date,
): Promise<Map<number, Measured>> {
  const hops = requested.slice(0, mostMeasured);
  if (hops.length === 0) return new Map();
  const since = new Date(now.getTime() - measuredOverMs);
  const rows = await tx.$queryRaw<(Measured & { index: number })[]>`
    SELECT hop.index::int - 1 AS index, sum(measured.bps) AS "throughputBps", min(measured.at) AS "measuredAt"
    FROM unnest(${hops.map((each) => each.clusterId)}::text[], ${hops.map((each) => each.prefix)}::inet[],
      ${hops.map((each) => each.address)}::inet[]) WITH ORDINALITY AS hop (cluster_id, prefix, next_hop, index)
    JOIN announcement offer ON offer.cluster_id = hop.cluster_id AND offer.next_hop = hop.next_hop AND offer.prefix = hop.prefix
    JOIN agent speaker ON speaker.id = offer.agent_id AND speaker.revoked_at IS NULL
    JOIN replica r ON r.load_balancer_id = offer.load_balancer_id
    JOIN agent balancer ON balancer.id = r.agent_id AND balancer.node_id = speaker.node_id
    JOIN balancer_status b ON b.agent_id = r.agent_id
      AND (b.address = host(offer.next_hop) OR (strpos(b.address, ':') > 0) <> (family(offer.next_hop) = 6))
    JOIN series s ON s.subject_id = offer.load_balancer_id AND s.metric = 'throughputBps'
      AND s.labels = '{"agent":"' || r.agent_id || '"}'
    CROSS JOIN LATERAL (
      SELECT avg(value) AS bps, max(at) AS at FROM sample WHERE series_id = s.id AND at > ${since} AND at <= ${now}
    ) measured
    WHERE measured.at IS NOT NULL GROUP BY 1`;
  return new Map(rows.map(({ index, ...measured }) => [index, measured]));
}
