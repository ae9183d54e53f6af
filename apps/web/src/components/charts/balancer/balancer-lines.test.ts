import type { MetricName, Series, SeriesAnswer } from "@fairlead/domain/series";
import { expect, it } from "vitest";
import { joinSeries } from "../data/join-series.ts";
import { linesOfDrops } from "../node/drop-lines.ts";
import { hasMetric, linesOfMetric, linesOfRatio, linesOfSlowest, linesOfTimes } from "./balancer-lines.ts";

const titles = { latencyMsP50: "median", latencyMsP99: "p99" };
const byAgent = ({ labels }: Pick<Series, "labels">) => labels.agent ?? "";

function measured(metric: MetricName, agent: string, values: (number | null)[], subjectId = "lb_1"): Series {
  const points = values.flatMap((value, i) =>
    value === null ? [] : [{ at: new Date(i * 5_000), min: value, avg: value, max: value + 1 }],
  );
  return { subjectId, metric, unit: "count", labels: { agent }, intervalMs: 5_000, points };
}
const answer = (...series: Series[]): SeriesAnswer => ({ resolutionMs: 5_000, series });
const figures = (series: Pick<Series, "points">) => series.points.map((point) => point.avg);

it("sums several series, without a dip if one is slightly late", () => {
  const late = measured("throughputBps", "b", [3, null, 3, 3]);
  const sum = joinSeries([measured("throughputBps", "a", [2, 2, 2, 2]), late], 5_000, "sum");
  expect(figures(sum)).toEqual([5, 5, 5, 5]);
  expect(sum.points[0]).toMatchObject({ min: 5, max: 7 });
});

it("counts a missing series as zero", () => {
  const gone = measured("throughputBps", "b", [3, null, null, null, null]);
  expect(figures(joinSeries([measured("throughputBps", "a", [2, 2, 2, 2, 2]), gone], 5_000, "sum"))).toEqual([
    5, 2, 2, 2, 2,
  ]);
});

it("draws the total first, then the largest parts, and counts the rest", () => {
  const parts = [1, 2, 3, 4, 5].map((value) => measured("connectionsLive", `n${value}`, [value, value]));
  const { data, hidden } = linesOfMetric(answer(...parts), "connectionsLive", byAgent, "all");
  expect(data.lines.map(({ title, summary }) => [title, summary?.last])).toEqual([
    ["all", 15],
    ["n5", 5],
    ["n4", 4],
    ["n3", 3],
    ["n2", 2],
  ]);
  expect(hidden).toBe(1);
});

it("draws a single part without a total", () => {
  const { data } = linesOfMetric(answer(measured("connectionsLive", "a", [1])), "connectionsLive", byAgent, "all");
  expect(data.lines.map((line) => line.title)).toEqual(["a"]);
});

it("splits latency by replica while that is readable, else draws the slowest", () => {
  const of = (agent: string, ms: number) => [
    measured("latencyMsP50", agent, [ms, ms]),
    measured("latencyMsP99", agent, [10 * ms, 10 * ms]),
  ];
  const drawn = (...series: Series[]) =>
    linesOfTimes(answer(...series), titles, byAgent).data.lines.map(({ title, summary }) => [title, summary?.last]);
  expect(drawn(...of("a", 1))).toEqual([
    ["median", 1],
    ["p99", 10],
  ]);
  expect(drawn(...of("b", 2), ...of("a", 1))).toEqual([
    ["a median", 1],
    ["a p99", 10],
    ["b median", 2],
    ["b p99", 20],
  ]);
  expect(drawn(...of("a", 1), ...of("b", 2), ...of("c", 3))).toEqual([
    ["median, the slowest", 3],
    ["p99, the slowest", 30],
  ]);
});

it("draws the slowest first, each at its slowest replica, and counts the rest", () => {
  const took = (backend: string, value: number) => measured("firstByteMsP99", backend, [value, value]);
  const all = [took("a", 1), took("a", 7), took("b", 9), took("c", 3), took("d", 4), took("e", 2)];
  const { data, hidden } = linesOfSlowest(answer(...all), "firstByteMsP99", byAgent);
  expect(data.lines.map(({ title, summary }) => [title, summary?.last])).toEqual([
    ["b", 9],
    ["a", 7],
    ["d", 4],
    ["c", 3],
  ]);
  expect(hidden).toBe(1);
});

it("draws a ratio of each replica, the lowest first", () => {
  const ratios = Object.entries({ a: 1, b: 0.5, c: 0.25, d: 0.75, e: 0.9 });
  const all = ratios.map(([agent, value]) => measured("localShareRatio", agent, [value, value]));
  const { data, hidden } = linesOfRatio(answer(...all), "localShareRatio", byAgent);
  expect(data.lines.map(({ title, summary }) => [title, summary?.last])).toEqual([
    ["c", 0.25],
    ["b", 0.5],
    ["d", 0.75],
    ["e", 0.9],
  ]);
  expect(hidden).toBe(1);
});

it("reports whether a metric has samples", () => {
  expect(hasMetric(answer(measured("connectionsLive", "a", [1])), ["latencyMsP50", "latencyMsP99"])).toBe(false);
  expect(hasMetric(answer(measured("latencyMsP99", "a", [1])), ["latencyMsP50", "latencyMsP99"])).toBe(true);
});

it("draws drop reasons, the worst first, over all agents of a node", () => {
  const dropped = (agent: string, reason: string, value: number): Series => {
    const series = measured("dropsPerSecond", agent, [value, value], "node_1");
    const points = series.points.map((point) => ({ ...point, max: value }));
    return { ...series, labels: { agent, reason }, points };
  };
  const data = linesOfDrops(
    answer(
      dropped("a", "fragment", 1),
      dropped("a", "no_backend", 2),
      dropped("b", "no_backend", 3),
      dropped("a", "malformed", 0),
      dropped("a", "newer_reason", 0.5),
    ),
  );
  expect(data.lines.map(({ title, summary }) => [title, summary?.last])).toEqual([
    ["no backend available", 5],
    ["fragmented packet", 1],
    ["newer reason", 0.5],
  ]);
});
