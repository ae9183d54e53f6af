import type { MetricName, SeriesAnswer } from "@fairlead/domain/series";

/** What the round trips of new connections took, next to those of an even choice among all instances. */
export type Savings = { spentMs: number; evenMs: number };

const spent = "roundTripsMsPerSecond";
const even = "evenRoundTripsMsPerSecond";
export const savingsMetrics = [spent, even] as const satisfies readonly MetricName[];

/** sumSavings adds up the range of an answer; null if nothing in it can be compared. Gaps count as nothing. */
export function sumSavings({ series }: SeriesAnswer): Savings | null {
  const [spentMs, evenMs] = savingsMetrics.map((metric) =>
    series
      .filter((each) => each.metric === metric)
      .reduce((sum, { points, intervalMs }) => {
        const perSecond = points.reduce((all, point) => all + point.avg, 0);
        return sum + (perSecond * intervalMs) / 1_000;
      }, 0),
  );
  return spentMs !== undefined && evenMs ? { spentMs, evenMs } : null;
}
