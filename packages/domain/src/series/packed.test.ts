import { expect, it } from "vitest";
import { packSeries, unpackSeries } from "./packed.ts";
import type { Series, SeriesAnswer } from "./series.ts";

const start = Date.parse("2026-11-20T12:00:00Z");
const asked: Parameters<typeof packSeries>[1] = {
  subjectIds: ["node_1", "node_2"],
  metrics: ["cpuUserRatio", "interfaceReceiveBps"],
};
const series = (one: Partial<Series>): Series => ({
  subjectId: "node_2",
  metric: "interfaceReceiveBps",
  unit: "bps",
  labels: { interface: "eth0" },
  intervalMs: 5_000,
  points: [],
  ...one,
});
const at = (second: number) => new Date(start + second * 1_000);

const answer: SeriesAnswer = {
  resolutionMs: 5_000,
  series: [
    series({ points: [{ at: at(10), min: 1, avg: 2, max: 3 }] }),
    series({
      subjectId: "node_1",
      metric: "cpuUserRatio",
      unit: "ratio",
      labels: {},
      points: [
        { at: at(5), min: 0.5, avg: 0.5, max: 0.5 },
        { at: at(20), min: 0.25, avg: 0.25, max: 0.25 },
      ],
    }),
  ],
};

it("unpacks what was packed", () => {
  expect(unpackSeries(packSeries(answer, asked), asked)).toEqual(answer);
});

it("packs an answer without series", () => {
  const empty: SeriesAnswer = { resolutionMs: 5_000, series: [] };
  expect(unpackSeries(packSeries(empty, asked), asked)).toEqual(empty);
});

it("names subjects and metrics by their position, and leaves out minimum and maximum of a single sample", () => {
  expect(packSeries(answer, asked)).toEqual({
    resolutionMs: 5_000,
    firstStep: start / 5_000 + 1,
    series: [
      [1, 1, { interface: "eth0" }, 5_000, [[1, 2, 1, 3]]],
      [
        0,
        0,
        {},
        5_000,
        [
          [0, 0.5],
          [3, 0.25],
        ],
      ],
    ],
  });
});

it("rounds to four digits", () => {
  const value = 8_366_915_584;
  const one = series({ points: [{ at: at(0), min: value, avg: value, max: value }] });
  expect(packSeries({ resolutionMs: 5_000, series: [one] }, asked).series[0]?.[4]).toEqual([[0, 8_367_000_000]]);
});
