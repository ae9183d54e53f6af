import { openDb } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import { findEmbedded } from "@fairlead/launcher";
import { Partitions } from "@fairlead/services/gateway";
import { query } from "./database.ts";
import { dataFolder } from "./product.ts";

const everyMs = 5_000;
const points = 240;

/** The values of a series in the first half of its samples and in the second. */
export type Halves = readonly [before: number, after: number];

/** An agent, and the node that it runs on. */
export async function insertAgent(exposureId: string, nodeName: string, role: string): Promise<string> {
  const [nodeId, agentId] = [newId("node"), newId("agent")];
  await query(
    `INSERT INTO node (id, organization_id, cluster_id, name, settings, updated_at)
     SELECT $1, organization_id, cluster_id, $2, '{}', now() FROM exposure WHERE id = $3`,
    [nodeId, nodeName, exposureId],
  );
  await query(
    `INSERT INTO agent (id, organization_id, node_id, roles, allowed_roles, certificate_serial, certificate_expires_at)
     SELECT $1, organization_id, id, ARRAY[$3], ARRAY[$3], $1, now() + interval '30 days' FROM node WHERE id = $2`,
    [agentId, nodeId, role],
  );
  await query(
    `INSERT INTO node_status (agent_id, node_id, boot_id, sequence, observed_revision, last_report_at)
     VALUES ($1, $2, 'e2e', 1, 1, now() + interval '5 minutes')`,
    [agentId, nodeId],
  );
  return agentId;
}

/** The newest sample is of now, and the oldest of twenty minutes ago. */
export async function insertSeries(
  subjectId: string,
  metric: string,
  labels: Record<string, string>,
  [before, after]: Halves,
): Promise<void> {
  await query(
    `WITH added AS (
       INSERT INTO series (organization_id, subject_id, metric, labels)
       SELECT l.organization_id, $1, $2, $3 FROM load_balancer l LEFT JOIN backend b ON b.load_balancer_id = l.id AND b.id = $1
       WHERE l.id = $1 OR b.id = $1 RETURNING id
     )
     INSERT INTO sample (series_id, at, value)
     SELECT id, now() - back * interval '5 seconds', CASE WHEN back < ${points / 2} THEN $5::float8 ELSE $4::float8 END
     FROM added, generate_series(0, ${points}) AS back`,
    [subjectId, metric, JSON.stringify(labels), String(before), String(after)],
  );
}

export async function ensurePartitions(): Promise<void> {
  const db = openDb(findEmbedded(dataFolder) ?? "", { connections: 1 });
  try {
    await new Partitions().ensureFor(db, "raw", [Date.now(), Date.now() - points * everyMs]);
  } finally {
    await db.$disconnect();
  }
}
