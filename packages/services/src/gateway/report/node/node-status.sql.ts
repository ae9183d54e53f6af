import type { Tx } from "@fairlead/db";
import type { NodeFacts } from "@fairlead/domain/node";
import type { NodeStatus } from "./advance-status.ts";
import type { NodeFigures } from "./node-figures.ts";

/** revision and digest are of the newest config; 0 and empty while there is none. */
export type StoredStatus = {
  agentId: string;
  reportIntervalMs: number;
  revision: number;
  digest: string;
  status: NodeStatus | null;
};

type StatusRow = Omit<StoredStatus, "status"> & { now: Date } & {
  [K in keyof NodeStatus]: NodeStatus[K] | null;
};

/**
 * lockStatuses returns the stored statuses of these agents, and locks them, so that two gateways never decide by the
 * same old status.
 */
export async function lockStatuses(
  tx: Tx,
  agentIds: readonly string[],
): Promise<{ now: Date; statuses: Map<string, StoredStatus> }> {
  const ids = [...agentIds].sort();
  await tx.$executeRaw`SELECT 1 FROM node_status WHERE agent_id = ANY(${ids}::text[]) ORDER BY agent_id FOR NO KEY UPDATE`;
  const rows = await tx.$queryRaw<StatusRow[]>`
    /* planned once */
    SELECT clock_timestamp() AS now, a.id AS "agentId", v."reportIntervalMs", coalesce(c.revision, 0) AS revision, coalesce(c.digest, '') AS digest, s.boot_id AS "bootId", s.previous_boot_id AS "previousBootId",
      s.sequence::float8 AS sequence, s.observed_revision AS "observedRevision", s.observed_digest AS "observedDigest", s.config_error AS "configError",
      s.corrections::float8 AS corrections, s.dropped_reports::float8 AS "droppedReports", s.warnings, s.version,
      s.last_report_at AS "lastReportAt", s.silent_since AS "silentSince"
    FROM agent a JOIN agent_view v ON v.id = a.id
    LEFT JOIN node_status s ON s.agent_id = a.id LEFT JOIN node_config c ON c.agent_id = a.id
    WHERE a.id = ANY(${ids}::text[])`;
  const statuses = rows.map(({ agentId, reportIntervalMs, revision, digest, now: _, ...status }) => ({
    agentId,
    reportIntervalMs,
    revision,
    digest,
    status: status.bootId === null ? null : (status as NodeStatus),
  }));
  return { now: rows[0]?.now ?? new Date(), statuses: new Map(statuses.map((each) => [each.agentId, each])) };
}

export type StatusWrite = {
  agentId: string;
  nodeId: string;
  status: NodeStatus;
  figures: NodeFigures;
  facts: NodeFacts | null;
};

/** writeStatuses stores all in one statement. What a report left out stays as it was. */
export async function writeStatuses(tx: Tx, writes: readonly StatusWrite[]): Promise<void> {
  if (writes.length === 0) return;
  const sorted = [...writes].sort((a, b) => (a.agentId < b.agentId ? -1 : 1));
  const of = <T>(pick: (write: StatusWrite) => T) => sorted.map(pick);
  await tx.$executeRaw`
    INSERT INTO node_status AS kept (agent_id, node_id, boot_id, previous_boot_id, sequence, observed_revision, observed_digest, config_error,
      corrections, dropped_reports, warnings, version, facts, cpu_utilization_ratio, memory_used_ratio, load1, last_report_at)
    SELECT agent_id, node_id, boot_id, previous_boot_id, sequence, observed_revision, observed_digest, config_error, corrections, dropped_reports,
      ARRAY(SELECT jsonb_array_elements_text(warnings)), version, facts, cpu, memory, load1, last_report_at
    FROM unnest(
      ${of((w) => w.agentId)}::text[], ${of((w) => w.nodeId)}::text[], ${of((w) => w.status.bootId)}::text[],
      ${of((w) => w.status.previousBootId)}::text[], ${of((w) => w.status.sequence)}::bigint[],
      ${of((w) => w.status.observedRevision)}::int4[], ${of((w) => w.status.observedDigest)}::text[], ${of((w) => w.status.configError)}::text[],
      ${of((w) => w.status.corrections)}::bigint[], ${of((w) => w.status.droppedReports)}::bigint[],
      ${of((w) => JSON.stringify(w.status.warnings))}::jsonb[], ${of((w) => w.status.version)}::text[],
      ${of((w) => (w.facts ? JSON.stringify(w.facts) : null))}::jsonb[], ${of((w) => w.figures.cpuUtilizationRatio)}::float8[],
      ${of((w) => w.figures.memoryUsedRatio)}::float8[], ${of((w) => w.figures.load1)}::float8[],
      ${of((w) => w.status.lastReportAt)}::timestamptz[])
      AS reported (agent_id, node_id, boot_id, previous_boot_id, sequence, observed_revision, observed_digest, config_error, corrections,
        dropped_reports, warnings, version, facts, cpu, memory, load1, last_report_at)
    ON CONFLICT (agent_id) DO UPDATE SET boot_id = excluded.boot_id, previous_boot_id = excluded.previous_boot_id,
      sequence = excluded.sequence, observed_revision = excluded.observed_revision,
      observed_digest = excluded.observed_digest, config_error = excluded.config_error,
      corrections = excluded.corrections, dropped_reports = excluded.dropped_reports, warnings = excluded.warnings,
      version = excluded.version, facts = coalesce(excluded.facts, kept.facts),
      cpu_utilization_ratio = coalesce(excluded.cpu_utilization_ratio, kept.cpu_utilization_ratio),
      memory_used_ratio = coalesce(excluded.memory_used_ratio, kept.memory_used_ratio),
      load1 = coalesce(excluded.load1, kept.load1), last_report_at = excluded.last_report_at, silent_since = NULL`;
}
