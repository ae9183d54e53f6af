import { inTransaction } from "@fairlead/db";
import type { MetricName } from "@fairlead/domain/series";
import type { ServiceContext } from "../context.ts";
import { insertSamples, type Samples } from "../series/insert-samples.sql.ts";
import { Partitions } from "../series/partitions.sql.ts";
import { SeriesIds } from "../series/series-ids.sql.ts";

/** TestSeries is one source's reports about a subject: values, each so many milliseconds after the context's now. */
export type TestSeries = {
  subjectId: string;
  metric: MetricName;
  labels?: Record<string, string>;
  points: readonly (readonly [afterMs: number, value: number])[];
};

/** insertTestSamples stores what agents would have reported. */
export async function insertTestSamples(ctx: ServiceContext, series: readonly TestSeries[]): Promise<void> {
  const { db, organizationId, now } = ctx;
  const keys = series.map(({ subjectId, metric, labels = {} }) => ({
    organizationId,
    subjectId,
    metric,
    labels: JSON.stringify(labels),
    agentId: labels.agent ?? null,
  }));
  const ids = await new SeriesIds().resolve(db, keys);
  const samples: Samples = { seriesIds: [], atMs: [], values: [] };
  for (const [i, { points }] of series.entries())
    for (const [afterMs, value] of points) {
      samples.seriesIds.push(ids[i] ?? 0);
      samples.atMs.push(now.getTime() + afterMs);
      samples.values.push(value);
    }
  await new Partitions().ensureFor(db, "raw", samples.atMs);
  await inTransaction(db, (tx) => insertSamples(tx, samples, now));
}
