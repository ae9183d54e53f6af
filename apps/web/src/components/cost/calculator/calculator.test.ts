import { readFileSync } from "node:fs";
import {
  type Curve,
  compileCatalogue,
  drawCosts,
  type EstimateRequest,
  estimateCosts,
  estimateRequest,
  readPrices,
} from "@fairlead/domain/cost";
import { expect, it } from "vitest";
import { shareIn, spanOf } from "./band-scale.ts";
import { csvOf, jsonOf } from "./export-answer.ts";
import { decades, layCurves } from "./lay-curves.ts";
import { hourText, monthText, unitPriceText } from "./money-text.ts";
import { presets } from "./presets.ts";
import { trafficText } from "./traffic-text.ts";
import { placeKey } from "./words.ts";

// The prices of the product, read from the file, which a page can't do.
const seedFile = new URL("../../../../../../packages/domain/src/cost/prices/seed/prices.csv", import.meta.url);
const catalogue = compileCatalogue(readPrices(readFileSync(seedFile, "utf8")), {
  now: new Date("2026-11-25T12:00:00Z"),
});
const ask = (request: object): EstimateRequest => estimateRequest.parse(request);
const answer = (request: EstimateRequest) => ({ request, catalogue, estimate: estimateCosts(request, catalogue) });
const seed = ask({ profile: { averageMbps: 25 }, providers: ["aws"], regions: ["us-east-1"] });

it.each(presets)("has a recommendation for the example $name", ({ profile, providers, regions, constraints }) => {
  const { estimate } = answer(ask({ profile, providers, regions, constraints }));
  expect(estimate.advice.proven).not.toBeNull();
});

it("compares at least two existing options in the first example", () => {
  const [first] = presets;
  const keys = answer(seed).estimate.options.map(placeKey);
  expect(first?.compare?.length).toBeGreaterThan(1);
  expect(keys).toEqual(expect.arrayContaining(first?.compare ?? []));
});

it("formats monthly sums to the cent, hourly sums with more decimals, and prices with all digits", () => {
  expect(monthText(65_700_000, "USD")).toBe("$65.70");
  expect(monthText(1_234_567_890_000, "EUR")).toBe("€1,234,567.89");
  expect(hourText(90_000, "USD")).toBe("$0.09");
  expect(hourText(22_500, "USD")).toBe("$0.0225");
  expect(hourText(12, "USD")).toBe("< $0.0001");
  expect(hourText(0, "USD")).toBe("$0.00");
  expect(unitPriceText(8_376.4275, "USD")).toBe("$0.0083764275");
});

it("formats traffic with a suitable unit", () => {
  expect([0.5, 25, 100, 1_200].map(trafficText)).toEqual([
    "500\u00a0kbit/s",
    "25\u00a0Mbit/s",
    "100\u00a0Mbit/s",
    "1.2\u00a0Gbit/s",
  ]);
});

it("draws the recommended options, then compared and cheapest ones, six lines at most", () => {
  const { estimate } = answer(seed);
  const curves = drawCosts(seed, catalogue, 21);
  const [compared = ""] = estimate.options
    .filter(({ fits }) => fits)
    .map(placeKey)
    .slice(-1);
  const { lines, mbps, low, high } = layCurves(curves, estimate, [compared]);
  const { proven, likely } = estimate.advice;
  expect(lines.slice(0, 2).map(({ key }) => key)).toEqual([proven, likely].map((place) => place && placeKey(place)));
  expect(lines.map(({ key }) => key)).toContain(compared);
  expect(lines.length).toBeLessThanOrEqual(6);
  expect(lines.every(({ values }) => values.length === mbps.length)).toBe(true);
  expect(low).toBeGreaterThan(0);
  expect(high).toBeGreaterThan(low);
});

it("draws nothing without curves", () => {
  const none: Curve[] = [];
  expect(layCurves(none, answer(seed).estimate, ["aws-nowhere@moon"]).lines).toEqual([]);
});

it("marks a free option in its title, because its line would be invisible", () => {
  const request = ask({ profile: { averageMbps: 25 }, providers: ["oracle"] });
  const { lines, low, high } = layCurves(drawCosts(request, catalogue, 5), answer(request).estimate, []);
  expect(lines.filter(({ values }) => values.every((value) => value === 0)).map(({ title }) => title)).toEqual(
    expect.arrayContaining([expect.stringContaining(": free")]),
  );
  expect(low).toBeGreaterThan(0);
  expect(Number.isFinite(high)).toBe(true);
});

it("has ticks at powers of ten, and between them if there are few", () => {
  expect(decades(1, 1_000_000)).toEqual([1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]);
  expect(decades(3, 40)).toEqual([5, 10, 20]);
});

it("places all options on one scale, even if all cost the same", () => {
  const { options } = answer(seed).estimate;
  const span = spanOf(options);
  const shares = options.map(({ monthlyMicros }) => shareIn(span, monthlyMicros));
  expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true);
  expect(Math.max(...shares) - Math.min(...shares)).toBeGreaterThan(0.1);
  const [cheapest] = options.map(({ monthlyMicros }) => monthlyMicros).filter((micros) => micros > 1);
  expect(shareIn({ low: cheapest ?? 0, high: cheapest ?? 0 }, cheapest ?? 0)).toBe(0.5);
});

it("exports every option with exact amounts", () => {
  const one = answer(seed);
  const [head = "", ...lines] = csvOf(one).trimEnd().split("\r\n");
  expect(head.split(",").slice(0, 8)).toEqual([
    "offer",
    "provider",
    "product",
    "region",
    "fits",
    "grade",
    "currency",
    "month",
  ]);
  expect(lines).toHaveLength(one.estimate.options.length);
  expect(lines.find((line) => line.startsWith("aws-clb,"))).toMatch(/,USD,87\.600000,0\.120000,/);
  expect(JSON.parse(jsonOf(one))).toEqual(JSON.parse(JSON.stringify({ request: seed, ...one.estimate })));
});

it("escapes formulas for spreadsheets", () => {
  const one = answer(seed);
  const [first] = one.estimate.options;
  if (!first) throw new Error("no option");
  const csv = csvOf({ ...one, estimate: { ...one.estimate, options: [{ ...first, product: '=1+"2"' }] } });
  expect(csv).toContain(`,"'=1+""2""",`);
});
