import { describe, expect, it } from "vitest";
import { type LineSpec, rowAt, toChartData } from "./chart-data.ts";

/** A line measured at the given seconds; each point spreads by one around its average. */
function line(title: string, intervalMs: number, ...points: [second: number, avg: number][]): LineSpec {
  return {
    title,
    series: {
      intervalMs,
      points: points.map(([second, avg]) => ({ at: new Date(second * 1_000), min: avg - 1, avg, max: avg + 1 })),
    },
  };
}

describe("toChartData", () => {
  it("aligns series with different timestamps to one grid", () => {
    const data = toChartData(
      "count",
      [line("a", 5_000, [100, 1], [105, 2]), line("b", 5_000, [102, 10], [107, 20])],
      1_000,
    );
    expect(data.rows).toEqual([
      {
        at: 100_000,
        values: [1, 10],
        bands: [
          [0, 2],
          [9, 11],
        ],
      },
      {
        at: 105_000,
        values: [2, 20],
        bands: [
          [1, 3],
          [19, 21],
        ],
      },
    ]);
  });

  it("leaves a gap where there are no samples", () => {
    const data = toChartData("count", [line("a", 5_000, [100, 1], [105, 2], [200, 3], [205, 4])], 5_000);
    expect(data.rows.map((row) => [row.at / 1_000, row.values[0]])).toEqual([
      [100, 1],
      [105, 2],
      [110, null],
      [200, 3],
      [205, 4],
    ]);
  });

  it("bridges a hole that is only jitter", () => {
    const data = toChartData("count", [line("a", 5_000, [100, 1], [104.9, 2], [110.1, 4])], 1_000);
    expect(data.rows.map((row) => row.values[0])).toEqual([1.5, 2.75, 4]);
  });

  it("does not bridge a line's gap with the moments of another", () => {
    const data = toChartData(
      "count",
      [line("a", 5_000, [100, 1], [130, 2]), line("b", 5_000, [100, 5], [105, 5], [110, 5], [115, 5], [130, 5])],
      5_000,
    );
    expect(data.rows.map((row) => row.values[0])).toEqual([1, null, null, null, null, 2]);
    expect(data.rows.at(-2)?.values).toEqual([null, null]);
  });

  it("keeps the extremes of moments that fall together", () => {
    const data = toChartData("count", [line("a", 1_000, [100, 1], [101, 9])], 10_000);
    expect(data.rows).toEqual([{ at: 100_000, values: [5], bands: [[0, 10]] }]);
  });

  it("summarises each line, and marks an empty one", () => {
    const data = toChartData("count", [line("a", 5_000, [100, 1], [105, 3]), line("b", 5_000)], 5_000);
    expect(data.lines).toEqual([
      { title: "a", summary: { last: 3, lastAt: 105_000, min: 0, avg: 2, max: 4 } },
      { title: "b", summary: null },
    ]);
    expect([data.low, data.high]).toEqual([0, 4]);
  });
});

it("finds the instant nearest to the cursor, if it is within reach", () => {
  const { rows } = toChartData("count", [line("a", 5_000, [100, 1], [105, 2], [110, 3])], 5_000);
  expect(rowAt(rows, 106_000, 5_000)?.at).toBe(105_000);
  expect(rowAt(rows, 108_000, 5_000)?.at).toBe(110_000);
  expect(rowAt(rows, 90_000, 5_000)).toBeNull();
  expect(rowAt([], 90_000, 5_000)).toBeNull();
});
