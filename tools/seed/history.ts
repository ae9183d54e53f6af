import { openDb } from "@fairlead/db";
import { Partitions } from "@fairlead/services/gateway";
import type pg from "pg";

const minuteMs = 60_000;

/**
 * writeHistory gives every seeded agent an hour of minutes of CPU and memory, as the roll-up would have left them:
 * a slow wave with noise, around what the agent's status says now.
 */
export async function writeHistory(
  client: pg.Client,
  databaseUrl: string,
  organizationId: string,
  minutes: number,
): Promise<void> {
  await makePartitions(databaseUrl, minutes);
  await client.query(
    `INSERT INTO series (organization_id, subject_id, metric, labels)
     SELECT $1, n.id, metric, '{}' FROM node n, unnest(ARRAY['cpuUtilizationRatio', 'memoryUsedBytes']) AS metric WHERE n.organization_id = $1
     ON CONFLICT DO NOTHING`,
    [organizationId],
  );
  await client.query(
    `INSERT INTO sample_minute (series_id, at, count, sum, min, max)
     SELECT id, at, 12, 12 * value, value * 0.9, value * 1.1 FROM (
       SELECT s.id, at, CASE s.metric WHEN 'memoryUsedBytes' THEN 8e9 + 4e9 * wave ELSE least(1, greatest(0, 0.35 + 0.25 * wave + 0.05 * random())) END AS value
       FROM series s, generate_series(1, $2) AS back, LATERAL (SELECT date_trunc('minute', now()) - back * interval '1 minute' AS at) t, LATERAL (SELECT sin(extract(epoch FROM t.at) / 900 + s.id) AS wave) w
       WHERE s.organization_id = $1
     ) points
     ON CONFLICT DO NOTHING`,
    [organizationId, minutes],
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
