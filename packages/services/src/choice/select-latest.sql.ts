import { Prisma, type Tx } from "@fairlead/db";
import type { MetricName } from "@fairlead/domain/series";

export type Latest = { subjectId: string; metric: MetricName; agentId: string | null; value: number; at: Date };

/** Most series have a sample of the last reports, and reading those alone takes a tenth of the time. */
const recentMs = 30_000;

/** The last sample of series `s` after a time, as `last`. */
const lastSince = (since: Date) => Prisma.sql`
  LEFT JOIN LATERAL (
    SELECT value, at FROM sample WHERE series_id = s.id AND at > greatest(${since}, now() - ${recentMs} * interval '1 ms') ORDER BY at DESC LIMIT 1
  ) recent ON true
  LEFT JOIN LATERAL (
    SELECT value, at FROM sample WHERE recent.at IS NULL AND series_id = s.id AND at > ${since} ORDER BY at DESC LIMIT 1
  ) earlier ON true
  CROSS JOIN LATERAL (SELECT coalesce(recent.value, earlier.value) AS value, coalesce(recent.at, earlier.at) AS at) last`;

/** selectLatest returns the last value of each series of some subjects, if it is newer than a time. */
export function selectLatest(
  tx: Tx,
  organizationId: string,
  subjectIds: readonly string[],
  metrics: readonly MetricName[],
  since: Date,
): Promise<Latest[]> {
  return tx.$queryRaw<Latest[]>`
    SELECT s.subject_id AS "subjectId", s.metric, s.agent_id AS "agentId", last.value, last.at
    FROM series s ${lastSince(since)}
    WHERE last.at IS NOT NULL AND s.organization_id = ${organizationId} AND s.subject_id = ANY(${[...subjectIds]}::text[])
      AND s.metric = ANY(${[...metrics]}::text[]) AND s.ended_at IS NULL`;
}

/** LatestLatency is the worst of what the balancers of an exposure measured last. */
export type LatestLatency = { candidateId: string; value: number; at: Date };

/** selectExposureLatency returns the last set-up p99 of each exposure, at the slowest of its balancers. */
export function selectExposureLatency(tx: Tx, organizationId: string, since: Date): Promise<LatestLatency[]> {
  return tx.$queryRaw<LatestLatency[]>`
    SELECT l.exposure_id AS "candidateId", max(last.value) AS value, min(last.at) AS at
    FROM load_balancer l JOIN series s ON s.subject_id = l.id AND s.metric = 'latencyMsP99' AND s.ended_at IS NULL
    ${lastSince(since)}
    WHERE last.at IS NOT NULL AND l.organization_id = ${organizationId} GROUP BY 1`;
}

export type RoundTrip = { nodeId: string; clusterId: string; value: number; at: Date };

/** For how long round trips count in their 99th percentile. */
const roundTripsOverMs = 60_000;

/** selectRoundTrips returns the p99 of the last minute from a node to each of the others that its agent measures. */
export function selectRoundTrips(
  tx: Tx,
  organizationId: string,
  from: string,
  now: Date,
  since: Date,
): Promise<RoundTrip[]> {
  return tx.$queryRaw<RoundTrip[]>(Prisma.sql`
    SELECT n.id AS "nodeId", n.cluster_id AS "clusterId", recent.value, recent.at
    FROM series s JOIN node n ON n.id = s.labels::jsonb ->> 'node' CROSS JOIN LATERAL (
      SELECT percentile_disc(0.99) WITHIN GROUP (ORDER BY value) AS value, max(at) AS at FROM sample
      WHERE series_id = s.id AND at > greatest(${since}, (
        SELECT at - ${roundTripsOverMs} * interval '1 ms' FROM sample WHERE series_id = s.id AND at > ${since} AND at <= ${now} ORDER BY at DESC LIMIT 1))
    ) recent
    WHERE s.organization_id = ${organizationId} AND s.subject_id = ${from} AND s.metric = 'roundTripMs' AND s.ended_at IS NULL
      AND recent.value IS NOT NULL`);
}
