import type { Tx } from "@fairlead/db";
import { float8Array, int4Array, timestamptzArray } from "./binary-array.ts";
import { holdBuckets } from "./bucket-lock.sql.ts";
import { requestRollups, whenDue } from "./rollup-tasks.sql.ts";

/** Samples as columns, one entry per point. Columns take a fraction of the memory of as many objects. */
export type Samples = { seriesIds: number[]; atMs: number[]; values: number[] };

const minuteMs = 60_000;

/**
 * insertSamples stores points in the caller's transaction and requests the roll-ups they need. An existing point stays
 * as it is, so that a repeated report changes nothing. now is the database's clock: it is the only one that several
 * gateways share.
 */
export async function insertSamples(tx: Tx, samples: Samples, now: Date): Promise<void> {
  if (samples.atMs.length === 0) return;
  await holdMinutes(tx, samples);
  const sorted = inOrder(samples);
  await tx.$executeRaw`
    INSERT INTO sample (series_id, at, value)
    SELECT * FROM unnest(
      ${int4Array(sorted.seriesIds)}::int4[], ${timestamptzArray(sorted.atMs)}::timestamptz[], ${float8Array(sorted.values)}::float8[])
    ON CONFLICT DO NOTHING`;
  await requestSampleRollups(tx, samples, now);
}

type Moments = Pick<Samples, "seriesIds" | "atMs">;

export async function holdMinutes(tx: Tx, { atMs }: Moments): Promise<void> {
  await holdBuckets(tx, "minute", atMs.map(minuteOf));
}

/** requestSampleRollups requests the roll-ups of minutes that got samples; the transaction holds their bucket locks. */
export async function requestSampleRollups(tx: Tx, samples: Moments, now: Date): Promise<void> {
  await requestRollups(
    tx,
    "minute",
    [...seriesByMinute(samples)].map(([bucketAtMs, seriesIds]) => {
      const { dueAtMs, late } = whenDue(bucketAtMs + minuteMs, now.getTime());
      return { bucketAtMs, dueAtMs, seriesIds: late ? [...seriesIds] : [] };
    }),
  );
}

function minuteOf(atMs: number): number {
  return Math.floor(atMs / minuteMs) * minuteMs;
}

function seriesByMinute({ seriesIds, atMs }: Moments): Map<number, Set<number>> {
  const buckets = new Map<number, Set<number>>();
  for (let index = 0; index < atMs.length; index++) {
    const bucketAtMs = minuteOf(atMs[index] ?? 0);
    const series = buckets.get(bucketAtMs) ?? new Set<number>();
    if (series.size === 0) buckets.set(bucketAtMs, series);
    series.add(seriesIds[index] ?? 0);
  }
  return buckets;
}

// Neighbours in the index are then written one after the other, and transactions of several gateways that have the
// same points lock them in the same order.
export function inOrder({ seriesIds, atMs, values }: Samples): Samples {
  const order = Uint32Array.from(seriesIds.keys());
  order.sort((a, b) => (seriesIds[a] ?? 0) - (seriesIds[b] ?? 0) || (atMs[a] ?? 0) - (atMs[b] ?? 0));
  const pick = (column: number[]) => Array.from(order, (index) => column[index] ?? 0);
  return { seriesIds: pick(seriesIds), atMs: pick(atMs), values: pick(values) };
}
