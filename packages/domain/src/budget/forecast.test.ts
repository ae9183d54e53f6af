import { describe, expect, it } from "vitest";
import { hourOf, monthOf } from "../cost/meter/hours.ts";
import type { HourCost } from "../cost/meter/meter-costs.ts";
import { forecastHours, MonthCosts, statusOf } from "./forecast.ts";

const dollar = 1_000_000;
const at = (text: string) => hourOf(new Date(text));
const cost = (hour: number, micros = dollar): HourCost => ({ hour, micros, existsSeconds: 3_600, knownSeconds: 3_600 });

/** One dollar an hour, or as given, from an hour up to now. */
function costsUntil(now: string, since: string, microsAt: (hour: number) => number = () => dollar): MonthCosts {
  const costs = new MonthCosts(new Date(now));
  const { from, to } = forecastHours(new Date(now));
  for (let hour = Math.max(from, at(since)); hour < to; hour++) costs.add(cost(hour, microsAt(hour)));
  return costs;
}

describe("a forecast", () => {
  it.each([
    ["2026-11-10T12:30:00Z", "in the middle of a month"],
    ["2026-11-01T00:10:00Z", "in the first hour of a month, from the day before"],
    ["2026-11-30T23:50:00Z", "in its last hour"],
  ])("of a constant cost is that of all hours of the month: %s, %s", (now) => {
    const month = monthOf(at(now));
    expect(costsUntil(now, "2026-10-01T00:00:00Z").forecastMicros).toBe((month.to - month.from) * dollar);
  });

  it("is what is spent, and the last 24 complete hours for each hour that is left", () => {
    // Since 10:00 of the day before it costs twice as much.
    const change = at("2026-11-10T11:00:00Z");
    const costs = costsUntil("2026-11-11T12:30:00Z", "2026-10-01T00:00:00Z", (hour) =>
      hour < change ? dollar : 2 * dollar,
    );
    // Complete is what was before 11:00: 9 days and 11 hours at one dollar, a day at two, and 19 days and 13 hours to go.
    expect(costs.forecastMicros).toBe((9 * 24 + 11 + 24 * 2 + (19 * 24 + 13) * 2) * dollar);
    // The hour before the current one, and the current one, are in what is spent.
    expect(costs.spentMicros).toBe((9 * 24 + 11 + 26 * 2) * dollar);
  });

  it("ignores that the last hours are not complete yet", () => {
    const recent = at("2026-11-11T11:00:00Z");
    const costs = costsUntil("2026-11-11T12:30:00Z", "2026-10-01T00:00:00Z", (hour) => (hour < recent ? dollar : 0));
    expect(costs.forecastMicros).toBe(720 * dollar);
  });

  it("is missing with usage of less than a day", () => {
    const now = "2026-11-11T12:30:00Z";
    expect(costsUntil(now, "2026-11-10T12:00:00Z").forecastMicros).toBeNull();
    expect(costsUntil(now, "2026-11-10T11:00:00Z").forecastMicros).toBeGreaterThan(0);
    expect(new MonthCosts(new Date(now)).forecastMicros).toBeNull();
  });

  it("is what was spent, if nothing runs any more", () => {
    const costs = new MonthCosts(new Date("2026-11-20T00:30:00Z"));
    costs.add(cost(at("2026-11-02T00:00:00Z"), 5 * dollar));
    expect(costs.forecastMicros).toBe(5 * dollar);
  });

  it("doesn't count the month before as spent", () => {
    const costs = costsUntil("2026-11-01T00:30:00Z", "2026-10-01T00:00:00Z");
    expect(costs.spentMicros).toBe(dollar);
  });
});

describe("the status of a budget", () => {
  it.each([
    [50, 90, 1, "within", false],
    [80, 90, 1, "within", true],
    [100, 100, 1, "within", true],
    [50, 101, 1, "forecast-over", false],
    [101, 200, 1, "over", true],
    [101, null, 1, "over", true],
    [50, null, 1, "within", false],
    [50, 90, 0.1, "within", false],
    [101, 200, 0.1, "over", true],
    [0, 0, 1, "within", false],
    [0, 0, 0, "unknown", false],
    [0, null, 0, "unknown", false],
    // At the start of a month, the forecast is from the day before.
    [0, 101, 0, "forecast-over", false],
  ] as const)(
    "with %d of 100 spent, a forecast of %s and a known share of %d is %s",
    (spentMicros, forecastMicros, knownShare, state, isWarned) => {
      const costs = { spentMicros, forecastMicros, knownShare, reasons: [] };
      const status = statusOf({ amountMicros: 100, warnAtPercent: 80 }, costs);
      expect([status.state, status.hasReachedWarning]).toEqual([state, isWarned]);
    },
  );

  it("has up to five reasons, each once", () => {
    const costs = new MonthCosts(new Date("2026-11-20T00:30:00Z"));
    costs.explain(["a", "b"]);
    costs.explain(["b", "c", "d", "e", "f"]);
    expect(statusOf({ amountMicros: 100, warnAtPercent: 80 }, costs).reasons).toEqual(["a", "b", "c", "d", "e"]);
  });
});

it("returns the share of the time with a complete cost", () => {
  const costs = new MonthCosts(new Date("2026-11-20T00:30:00Z"));
  expect(costs.knownShare).toBe(1);
  costs.add(cost(at("2026-11-02T00:00:00Z")));
  costs.add({ ...cost(at("2026-11-02T01:00:00Z")), knownSeconds: 0 });
  expect(costs.knownShare).toBe(0.5);
});
