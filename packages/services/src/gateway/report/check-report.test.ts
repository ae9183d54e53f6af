import { describe, expect, it } from "vitest";
import { type AgentReport, checkReport } from "./check-report.ts";

const now = new Date("2026-11-20T12:00:00Z");
const nowMs = now.getTime();
const hourMs = 3_600_000;
const limits = { series: 2_000, points: 50_000, instances: 3, routes: 1_000, updates: 1_000, transitions: 1_000 };

const report: AgentReport = {
  bootId: "boot",
  sequence: 1,
  sentAt: now,
  observedRevision: 0,
  observedDigest: "",
  configError: "",
  corrections: 0,
  droppedReports: 0,
  facts: null,
  version: null,
  roles: [],
  warnings: [],
  echoAddress: null,
  balancer: null,
  backend: null,
  adaptive: null,
  bgp: null,
  events: [],
  inventory: null,
  series: [],
  derived: [],
};

function series(fields: Partial<AgentReport["series"][number]>): AgentReport["series"][number] {
  return { metric: "load1", labels: {}, atMs: [nowMs], values: [1], ...fields };
}

describe("checkReport", () => {
  it("has one spelling for equal labels, whatever their order", () => {
    const [one, two] = [
      { b: "2", a: "1" },
      { a: "1", b: "2" },
    ].map((labels) => checkReport({ ...report, series: [series({ labels })] }, limits, now).series[0]?.labels);
    expect(one).toBe('{"a":"1","b":"2"}');
    expect(two).toBe(one);
  });

  it("leaves out and counts points that are too old, too far ahead, or of an unknown metric", () => {
    const checked = checkReport(
      {
        ...report,
        series: [
          series({ atMs: [nowMs - 30 * hourMs, nowMs - 22 * hourMs, nowMs, nowMs + hourMs], values: [1, 2, 3, 4] }),
          series({ metric: "phaseOfTheMoon", atMs: [nowMs, nowMs + 1], values: [1, 2] }),
          series({ metric: "load5", atMs: [0], values: [1] }),
        ],
      },
      limits,
      now,
    );
    expect(checked.rejectedPoints).toBe(5);
    expect(checked.series).toEqual([
      { metric: "load1", labels: "{}", about: null, atMs: [nowMs - 22 * hourMs, nowMs], values: [2, 3] },
    ]);
  });

  it("leaves out and counts values that no host can have, and names the first", () => {
    const figures = (metric: string, ...values: number[]) => series({ metric, values, atMs: values.map(() => nowMs) });
    const checked = checkReport(
      {
        ...report,
        series: [
          figures("throughputBps", 0, 8e12, 9e15, -1e300),
          figures("cpuUtilizationRatio", 1.0001, 2),
          figures("memoryUsedBytes", -1),
        ],
      },
      limits,
      now,
    );
    expect(checked.series.map(({ metric, values }) => [metric, values])).toEqual([
      ["throughputBps", [0, 8e12]],
      ["cpuUtilizationRatio", [1.0001]],
    ]);
    expect([checked.rejectedPoints, checked.impossible]).toEqual([4, "throughputBps was 9000000000000000"]);
  });

  it.each<[string, Partial<AgentReport>, RegExp]>([
    ["no boot id", { bootId: "" }, /boot id/],
    ["a sequence of 0", { sequence: 0 }, /sequence/],
    ["a sequence past what a number holds", { sequence: 2 ** 63 }, /sequence/],
    ["a revision past what a column holds", { observedRevision: 2 ** 31 }, /observedRevision/],
    ["more times than values", { series: [series({ atMs: [1, 2] })] }, /2 times but 1 values/],
    ["NaN", { series: [series({ values: [Number.NaN] })] }, /no number/],
    ["an infinite value", { series: [series({ values: [Number.POSITIVE_INFINITY] })] }, /no number/],
    ["NaN of an unknown metric", { series: [series({ metric: "x", values: [Number.NaN] })] }, /no number/],
    [
      "nine labels",
      { series: [series({ labels: Object.fromEntries([..."abcdefghi"].map((l) => [l, l])) })] },
      /9 labels/,
    ],
    ["a long label", { series: [series({ labels: { a: "x".repeat(257) } })] }, /too long/],
    ["a null character in a label", { series: [series({ labels: { a: "\0" } })] }, /null character/],
    ["too many series", { series: new Array(2_001).fill(series({})) }, /2001/],
    [
      "too many points",
      { series: [series({ atMs: new Array(50_001).fill(nowMs), values: new Array(50_001).fill(1) })] },
      /50001/,
    ],
  ])("refuses a report with %s", (_, fields, message) => {
    expect(() => checkReport({ ...report, ...fields }, limits, now)).toThrow(message);
  });

  it("keeps the series that follow from a report which has as many as an agent may send", () => {
    const own = { atMs: [nowMs], values: [1] };
    const full = {
      series: new Array(2_000).fill(series(own)),
      derived: [series({ ...own, metric: "localShareRatio" })],
    };
    const checked = checkReport({ ...report, ...full }, limits, now);
    expect(checked.series.at(-1)).toMatchObject({ metric: "localShareRatio", values: [1] });
    expect(checked).toMatchObject({ series: { length: 2_001 }, rejectedPoints: 0 });
  });

  it("shortens long texts, and drops what PostgreSQL can't store", () => {
    const checked = checkReport(
      {
        ...report,
        configError: `a\0${"b".repeat(5_000)}`,
        warnings: new Array(50).fill("w"),
        version: "v".repeat(500),
      },
      limits,
      now,
    );
    expect(checked.configError).toHaveLength(2_000);
    expect(checked.configError).toMatch(/^ab/);
    expect(checked.warnings).toHaveLength(20);
    expect(checked.version).toHaveLength(64);
  });
});
