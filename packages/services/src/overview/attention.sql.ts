import type { Tx } from "@fairlead/db";
import type { SubjectKind } from "@fairlead/domain/event";
import { type NodeState, nodeMessage } from "@fairlead/domain/node";
import type { Attention } from "@fairlead/domain/overview";

/** Attentions are the findings of one kind: the first ones, and how many there are. */
export type Attentions = { total: number; items: Attention[] };

type Counted<Row> = Row & { total: number };

/** Nodes that fell silent, and nodes whose agent refuses its config. */
export async function findTroubledNodes(tx: Tx, organizationId: string, limit: number): Promise<Attentions> {
  const rows = await tx.$queryRaw<
    Counted<{
      id: string;
      name: string;
      clusterId: string;
      state: NodeState;
      configError: string;
      desiredRevision: number;
      observedRevision: number;
      lastReportAt: Date | null;
    }>[]
  >`
    SELECT id, name, "clusterId", state, "configError", "desiredRevision", "observedRevision", "lastReportAt", count(*) OVER ()::int AS total
    FROM node_view WHERE "organizationId" = ${organizationId} AND (state = 'silent' OR (state = 'out-of-sync' AND "configError" <> ''))
    ORDER BY "lastReportAt", id LIMIT ${limit}`;
  return collect(rows, (row) => ({
    severity: row.state === "silent" ? "problem" : "warning",
    reason: row.state === "silent" ? "NodeSilent" : "ConfigRefused",
    message: nodeMessage(row),
    subjectKind: "node",
    subjectId: row.id,
    subjectName: row.name,
    clusterId: row.clusterId,
    // The last report of a node that isn't silent says nothing of when its problem began.
    since: row.state === "silent" ? row.lastReportAt : null,
  }));
}

/** Exposures that don't serve at all, before those that serve only in part. */
export async function findTroubledExposures(tx: Tx, organizationId: string, limit: number): Promise<Attentions> {
  const rows = await tx.$queryRaw<
    Counted<{ id: string; name: string; clusterId: string; phase: "failed" | "degraded"; message: string }>[]
  >`
    SELECT id, name, "clusterId", phase, message, count(*) OVER ()::int AS total
    FROM exposure_view WHERE "organizationId" = ${organizationId} AND phase IN ('failed', 'degraded')
    ORDER BY phase = 'failed' DESC, "updatedAt" DESC, id LIMIT ${limit}`;
  return collect(rows, (row) => ({
    ...(row.phase === "failed"
      ? { severity: "problem", reason: "ExposureFailed" }
      : { severity: "warning", reason: "ExposureDegraded" }),
    message: row.message || "Its conditions show why.",
    subjectKind: "exposure",
    subjectId: row.id,
    subjectName: row.name,
    clusterId: row.clusterId,
    since: null,
  }));
}

/** Tasks that only a change of their object can wake. A failed exposure is listed itself. */
export async function findRestingTasks(tx: Tx, organizationId: string, limit: number): Promise<Attentions> {
  const rows = await tx.$queryRaw<
    Counted<{ kind: SubjectKind; objectId: string; objectName: string; clusterId: string; lastError: string | null }>[]
  >`
    SELECT t.kind, t."objectId", t."objectName", t."clusterId", t."lastError", count(*) OVER ()::int AS total
    FROM reconcile_task_view t WHERE t."organizationId" = ${organizationId} AND t.resting
      AND NOT EXISTS (SELECT 1 FROM exposure_status s WHERE s.exposure_id = t."objectId" AND s.phase = 'failed')
    ORDER BY t."objectId" LIMIT ${limit}`;
  return collect(rows, (row) => ({
    severity: "warning",
    reason: "TaskResting",
    message: `Retrying won't help until it is changed: ${row.lastError ?? "no reason was stored"}`,
    subjectKind: row.kind,
    subjectId: row.objectId,
    subjectName: row.objectName,
    clusterId: row.clusterId,
    since: null,
  }));
}

function collect<Row>(rows: Counted<Row>[], toAttention: (row: Row) => Attention): Attentions {
  return { total: rows[0]?.total ?? 0, items: rows.map(toAttention) };
}
