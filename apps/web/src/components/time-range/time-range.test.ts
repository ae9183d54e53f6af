import { describe, expect, it } from "vitest";
import { describeRange } from "./describe-range.ts";
import {
  defaultRange,
  formatRange,
  parseRange,
  presets,
  refreshEveryMs,
  resolveRange,
  type TimeRange,
} from "./time-range.ts";

const at = (text: string) => new Date(text);
const lunch: TimeRange = { kind: "absolute", from: at("2026-11-20T12:00:00Z"), to: at("2026-11-20T13:30:00Z") };

describe("a time range in the URL", () => {
  it("round-trips", () => {
    for (const preset of presets) {
      const range: TimeRange = { kind: "relative", preset };
      expect(parseRange(formatRange(range))).toEqual(range);
    }
    expect(parseRange(formatRange(lunch))).toEqual(lunch);
  });

  it("never writes the default", () => {
    expect(formatRange(defaultRange)).toEqual({ range: null, from: null, to: null });
  });

  it("writes fixed instants to the second", () => {
    expect(formatRange(lunch)).toEqual({ range: null, from: "2026-11-20T12:00:00Z", to: "2026-11-20T13:30:00Z" });
  });

  it.each([
    ["an unknown preset", { range: "2h", from: null, to: null }],
    ["half of a span", { range: null, from: "2026-11-20T12:00:00Z", to: null }],
    ["a span that runs backwards", { range: null, from: "2026-11-20T13:00:00Z", to: "2026-11-20T12:00:00Z" }],
    ["words", { range: null, from: "yesterday", to: "now" }],
    ["a day that does not exist", { range: null, from: "2026-13-40T12:00:00Z", to: "2026-11-20T12:00:00Z" }],
  ])("falls back to the default for %s", (_what, params) => {
    expect(parseRange(params)).toEqual(defaultRange);
  });
});

it("moves with the clock if it is relative, and not otherwise", () => {
  const now = Date.parse("2026-11-20T14:00:00Z");
  expect(resolveRange({ kind: "relative", preset: "15m" }, now)).toEqual({
    from: at("2026-11-20T13:45:00Z"),
    to: at("2026-11-20T14:00:00Z"),
  });
  expect(resolveRange(lunch, now)).toEqual({ from: lunch.from, to: lunch.to });
});

it("refreshes short spans every 5 s, and long ones no more often than they change", () => {
  expect(presets.map((preset) => refreshEveryMs({ kind: "relative", preset }) / 1_000)).toEqual([
    5, 5, 5, 5, 60, 60, 60,
  ]);
});

it("describes a range in words", () => {
  const overnight: TimeRange = { kind: "absolute", from: at("2026-11-19T22:00:00Z"), to: at("2026-11-20T02:00:00Z") };
  const blip: TimeRange = { kind: "absolute", from: at("2026-11-20T12:00:05Z"), to: at("2026-11-20T12:01:10Z") };
  expect(describeRange({ kind: "relative", preset: "7d" })).toBe("Last 7 days");
  expect(describeRange(lunch, "UTC")).toBe("20 Nov, 12:00 – 13:30");
  expect(describeRange(overnight, "UTC")).toBe("19 Nov, 22:00 – 20 Nov, 02:00");
  expect(describeRange(blip, "UTC")).toBe("20 Nov, 12:00:05 – 12:01:10");
});
