import { openDb } from "@fairlead/db";
import { Partitions } from "@fairlead/services/gateway";
import type pg from "pg";

const minuteMs = 60_000;

const metrics = ["cpuUtilizationRatio", "memoryUsedBytes"];

/**
 * writeHistory gives the generated nodes an hour of CPU and memory minutes, like those of the roll-up: a slow wave with noise.
 * Real nodes keep their measurements.
 */
export async function writeHistory(
  client: pg.Client,
  databaseUrl: string,
  { organizationId, nodeIds, minutes }: { organizationId: string; nodeIds: string[]; minutes: number },
): Promise<void> {
  await makePartitions(databaseUrl, minutes);
  await client.query(
    `INSERT INTO series (organization_id, subject_id, metric, labels)
     SELECT $1, node_id, metric, '{}' FROM unnest($2::text[]) AS node_id, unnest($3::text[]) AS metric
     ON CONFLICT DO NOTHING`,
    [organizationId, nodeIds, metrics],
  );
  await client.query(
    `INSERT INTO sample_minute (series_id, at, count, sum, min, max)
     SELECT id, at, 12, 12 * value, value * 0.9, value * 1.1 FROM (
       SELECT s.id, at, CASE s.metric WHEN 'memoryUsedBytes' THEN 8e9 + 4e9 * wave ELSE least(1, greatest(0, 0.35 + 0.25 * wave + 0.05 * random())) END AS value
       FROM series s, generate_series(1, $4) AS back, LATERAL (SELECT date_trunc('minute', now()) - back * interval '1 minute' AS at) t, LATERAL (SELECT sin(extract(epoch FROM t.at) / 900 + s.id) AS wave) w
       WHERE s.organization_id = $1 AND s.subject_id = ANY($2::text[]) AND s.metric = ANY($3::text[]) AND s.labels = '{}'
     ) points
     ON CONFLICT DO NOTHING`,
    [organizationId, nodeIds, metrics, minutes],
  );
}

async function makePartitions(databaseUrl: string, minutes: number): Promise<void> {
  const db = openDb(databaseUrl, { connections: 1 });
  const now = Date.now();
  await new Partitions().ensureFor(
    db,
    "minute",
    Array.from({ length: minutes + 1 }, (_, back) => now - back * minuteMs),
  );
  await db.$disconnect();
}
