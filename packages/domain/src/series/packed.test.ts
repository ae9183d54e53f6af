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

const digestOf = (text: string) => `digest of ${text}`;
const pack = (one: SeriesAnswer, layoutDigest?: string) => packSeries(one, { ...asked, layoutDigest }, digestOf);

it("unpacks what was packed", () => {
  expect(unpackSeries(pack(answer), asked)).toEqual(answer);
});

it("packs an answer without series", () => {
  const empty: SeriesAnswer = { resolutionMs: 5_000, series: [] };
  expect(unpackSeries(pack(empty), asked)).toEqual(empty);
});

it("names subjects and metrics by their position, and leaves out minimum and maximum of a single sample", () => {
  expect(pack(answer)).toEqual({
    resolutionMs: 5_000,
    firstStep: start / 5_000 + 1,
    steps: [0, 1, 3],
    points: [
      [null, [2, 1, 3], null],
      [0.5, null, 0.25],
    ],
    layout: {
      digest: 'digest of [[1,1,{"interface":"eth0"}],[0,0,{}]]',
      series: [
        [1, 1, { interface: "eth0" }, 5_000],
        [0, 0, {}, 5_000],
      ],
    },
  });
});

it("leaves out the layout that the client has", () => {
  const { layout, ...points } = pack(answer);
  expect(pack(answer, layout?.digest)).toEqual(points);
  expect(unpackSeries(points, asked, layout)).toEqual(answer);
  expect(() => unpackSeries(points, asked)).toThrow("no layout");
});

it("has the layout again when a series starts", () => {
  const started = series({ labels: { interface: "eth1" }, points: [{ at: at(10), min: 1, avg: 1, max: 1 }] });
  const more = { ...answer, series: [...answer.series, started] };
  expect(pack(more, pack(answer).layout?.digest)).toEqual(pack(more));
});

const point = (second: number, value: number) => ({ at: at(second), min: value, avg: value, max: value });

it("has one number for a series that doesn't change", () => {
  const idle = series({ points: [point(0, 0), point(5, 0), point(10, 0)] });
  const paused = series({ labels: { interface: "eth1" }, points: [point(0, 0), point(10, 0)] });
  const both: SeriesAnswer = { resolutionMs: 5_000, series: [idle, paused] };
  expect(pack(both).points).toEqual([0, [0, null, 0]]);
  expect(unpackSeries(pack(both), asked)).toEqual(both);
});

it("rounds to four digits", () => {
  const one = series({ points: [point(0, 8_366_915_584), point(5, 1)] });
  expect(pack({ resolutionMs: 5_000, series: [one] }).points).toEqual([[8_367_000_000, 1]]);
});
