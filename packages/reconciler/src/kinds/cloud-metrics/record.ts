import { type Db, inTransaction, type Tx } from "@fairlead/db";
import type { CloudMetricsPhase } from "@fairlead/domain/cloud";
import type { EventContent } from "@fairlead/domain/event";
import type { MeasuredSeries } from "@fairlead/drivers";
import { appendFeed, recordDampedEvent } from "@fairlead/services";
import { correctSamples, lacksPartition, type Partitions, type SeriesIds } from "@fairlead/services/gateway";
import { holdLease } from "../../lease.sql.ts";
import type { ReconcileContext } from "../../reconciler.ts";
import { type BalancerRead, type StoredMetrics, selectMetrics, writeBalancers } from "./load.sql.ts";

/** State that a process which writes samples keeps in memory. */
export type SampleStore = { partitions: Partitions; seriesIds: SeriesIds };

export type Measured = { balancerId: string; series: MeasuredSeries };

/**
 * recordMeasured writes samples and how far they go in one transaction, so that neither is ahead of the other. It
 * returns false where the settings it was read with were changed meanwhile.
 */
export async function recordMeasured(
  clusterId: string,
  stored: StoredMetrics,
  { measured, read, store }: { measured: readonly Measured[]; read: readonly BalancerRead[]; store: SampleStore },
  ctx: ReconcileContext,
): Promise<boolean> {
  const samples = await toSamples(ctx.db, stored.organizationId, measured, store);
  await store.partitions.ensureFor(ctx.db, "raw", samples.atMs);
  try {
    return await inTransaction(ctx.db, async (tx) => {
      if (!(await holdSettings(tx, clusterId, stored, ctx))) return false;
      await correctSamples(tx, samples, ctx.now());
      await writeBalancers(tx, clusterId, read);
      return true;
    });
  } catch (error) {
    if (lacksPartition(error)) store.partitions.forgetAll();
    throw error;
  }
}

async function holdSettings(
  tx: Tx,
  clusterId: string,
  { generation }: StoredMetrics,
  { task }: ReconcileContext,
): Promise<StoredMetrics | null> {
  const before = await selectMetrics(tx, clusterId, { lock: true });
  await holdLease(tx, task);
  return before?.generation === generation ? before : null;
}

async function toSamples(db: Db, organizationId: string, measured: readonly Measured[], { seriesIds }: SampleStore) {
  const keys = measured.map(({ balancerId, series: { metric } }) => {
    return { organizationId, subjectId: balancerId, metric, labels: "{}", agentId: null };
  });
  const ids = await seriesIds.resolve(db, keys);
  const samples = { seriesIds: [] as number[], atMs: [] as number[], values: [] as number[] };
  for (const [index, { series }] of measured.entries()) {
    const id = ids[index] ?? null;
    if (id === null) continue;
    for (const [position, at] of series.atMs.entries()) {
      samples.seriesIds.push(id);
      samples.atMs.push(at);
      samples.values.push(series.values[position] ?? 0);
    }
  }
  return samples;
}

/** ReadResult is the result of a read. read is whether any metrics were read. */
export type ReadResult = { phase: Exclude<CloudMetricsPhase, "checking">; message: string; read: boolean };

/**
 * recordReadResult stores a result and records an event where it changed. It returns since when the phase holds; null
 * where the settings were changed meanwhile.
 */
export async function recordReadResult(
  clusterId: string,
  stored: StoredMetrics,
  { phase, message, read }: ReadResult,
  ctx: ReconcileContext,
): Promise<Date | null> {
  return inTransaction(ctx.db, async (tx) => {
    const before = await holdSettings(tx, clusterId, stored, ctx);
    if (!before) return null;
    const now = ctx.now();
    const isChanged = phase !== before.phase;
    const since = isChanged ? now : (before.since ?? now);
    const { generation } = stored;
    const data = { generation, phase, message, observedAt: now, since, readAt: read ? now : before.readAt };
    await tx.cloudMetricsStatus.upsert({ where: { clusterId }, update: data, create: { clusterId, ...data } });
    const isNews = isChanged || (phase !== "unreachable" && message !== before.message);
    const event = { ...eventOf(phase, message), ...subjectOf(clusterId, before), at: now };
    if (isNews) await recordDampedEvent(tx, before.organizationId, event);
    if (isNews)
      await appendFeed(tx, before.organizationId, [{ subjectKind: "cluster", subjectId: clusterId, clusterId }]);
    return since;
  });
}

function eventOf(phase: ReadResult["phase"], message: string): EventContent {
  const stays = "Load balancers keep working; what they measure meanwhile is read later.";
  switch (phase) {
    case "reading":
      return {
        reason: "CloudMetricsRead",
        message: "The metrics of all its load balancers are read.",
      };
    case "partial":
      return { reason: "CloudMetricsPartial", message };
    case "unreachable":
      return { reason: "CloudMetricsUnreachable", message: `${message} ${stays}` };
    case "refused":
      return { reason: "CloudMetricsRefused", message: `${message} ${stays}` };
    default:
      return phase satisfies never;
  }
}

function subjectOf(clusterId: string, { clusterName }: StoredMetrics) {
  return { subjectKind: "cluster" as const, subjectId: clusterId, subjectName: clusterName, clusterId };
}
