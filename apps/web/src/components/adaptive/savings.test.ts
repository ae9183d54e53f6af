import type { MetricName, Series } from "@fairlead/domain/series";
import { expect, it } from "vitest";
import { describeSavings } from "./describe-savings.ts";
import { sumSavings } from "./sum-savings.ts";

const from = Date.UTC(2026, 10, 30);
const series = (metric: MetricName, values: number[], intervalMs = 10_000): Series => ({
  ...{ subjectId: "lb_1", metric, unit: "perSecond", labels: {}, intervalMs },
  points: values.map((avg, place) => ({ at: new Date(from + place * intervalMs), min: 0, avg, max: 2 * avg })),
});

it("adds up what all nodes spent in the range, each with its own interval", () => {
  const answer = {
    resolutionMs: 10_000,
    series: [
      series("roundTripsMsPerSecond", [2, 4]),
      series("roundTripsMsPerSecond", [1], 60_000),
      series("evenRoundTripsMsPerSecond", [10, 20]),
      series("evenRoundTripsMsPerSecond", [5], 60_000),
      series("sentToOtherNodesPerSecond", [100]),
    ],
  };
  expect(sumSavings(answer)).toEqual({ spentMs: 120, evenMs: 600 });
});

it("compares nothing if no round trip is known, or an even choice would take none", () => {
  expect(sumSavings({ resolutionMs: 1, series: [series("localShareRatio", [1])] })).toBeNull();
  const none = [series("roundTripsMsPerSecond", [0]), series("evenRoundTripsMsPerSecond", [0])];
  expect(sumSavings({ resolutionMs: 1, series: none })).toBeNull();
});

it.each([
  [{ spentMs: 120, evenMs: 600 }, "480\u00a0ms less (80 %)"],
  [{ spentMs: 60_000, evenMs: 3_660_000 }, "60\u00a0min less (98 %)"],
  [{ spentMs: 0, evenMs: 72 * 3_600_000 }, "72\u00a0h less (100 %)"],
  [{ spentMs: 1_500, evenMs: 1_000 }, "500\u00a0ms more (50 %)"],
])("describes %j as %s", (savings, amount) => {
  expect(describeSavings(savings).amount).toBe(amount);
});

it("states how it is calculated", () => {
  expect(describeSavings({ spentMs: 120, evenMs: 600 }).how).toBe(
    "One round trip for each new connection in this range: 120\u00a0ms, and 600\u00a0ms with an even choice among all instances.",
  );
});
