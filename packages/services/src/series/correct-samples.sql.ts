import type { Tx } from "@fairlead/db";
import { float8Array, int4Array, timestamptzArray } from "./binary-array.ts";
import { holdMinutes, inOrder, requestSampleRollups, type Samples } from "./insert-samples.sql.ts";

/**
 * correctSamples is insertSamples for sources that may correct a value later: the last value counts. Roll-ups are
 * requested only for what changed, so writing the same again costs little.
 */
export async function correctSamples(tx: Tx, samples: Samples, now: Date): Promise<void> {
  if (samples.atMs.length === 0) return;
  await holdMinutes(tx, samples);
  const sorted = inOrder(samples);
  const changed = await tx.$queryRaw<{ seriesId: number; at: Date }[]>`
    INSERT INTO sample AS kept (series_id, at, value)
    SELECT * FROM unnest(
      ${int4Array(sorted.seriesIds)}::int4[], ${timestamptzArray(sorted.atMs)}::timestamptz[], ${float8Array(sorted.values)}::float8[])
    ON CONFLICT (series_id, at) DO UPDATE SET value = excluded.value WHERE kept.value <> excluded.value
    RETURNING series_id AS "seriesId", at`;
  const seriesIds = changed.map((each) => each.seriesId);
  const atMs = changed.map((each) => each.at.getTime());
  await requestSampleRollups(tx, { seriesIds, atMs }, now);
}
