import { expect, it } from "vitest";
import { toChartData } from "../data/chart-data.ts";
import { chartCsv } from "./chart-csv.ts";

const start = Date.parse("2026-11-20T12:00:00Z");
const line = (title: string, ...points: [second: number, avg: number, min?: number, max?: number][]) => ({
  title,
  series: {
    intervalMs: 5_000,
    points: points.map(([second, avg, min = avg, max = avg]) => ({
      ...{ at: new Date(start + second * 1_000), avg, min, max },
    })),
  },
});

it("writes a row for each instant and a column for each line, with its unit", () => {
  const data = toChartData("bps", [line("received", [0, 10], [5, 20]), line("sent", [5, 7])], 5_000);
  expect(chartCsv(data)).toBe(
    ["time,received (bit/s),sent (bit/s)", "2026-11-20T12:00:00.000Z,10,", "2026-11-20T12:00:05.000Z,20,7", ""].join(
      "\r\n",
    ),
  );
});

it("has minimum and maximum if points stand for several samples", () => {
  const data = toChartData("count", [line("load", [0, 2, 1, 3], [5, 4])], 5_000);
  expect(chartCsv(data)).toBe(
    ["time,load,load min,load max", "2026-11-20T12:00:00.000Z,2,1,3", "2026-11-20T12:00:05.000Z,4,4,4", ""].join(
      "\r\n",
    ),
  );
});

it("leaves out the rows that only break lines at gaps, and escapes names", () => {
  const data = toChartData("count", [line("=a,b", [0, 1], [600, 2])], 5_000);
  expect(data.rows).toHaveLength(3);
  expect(chartCsv(data).split("\r\n")).toEqual([
    `time,"'=a,b"`,
    "2026-11-20T12:00:00.000Z,1",
    "2026-11-20T12:10:00.000Z,2",
    "",
  ]);
});
