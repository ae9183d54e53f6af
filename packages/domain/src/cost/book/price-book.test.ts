import { expect, it } from "vitest";
import { estimateRequest } from "../estimate/estimate.ts";
import { estimateCosts } from "../estimate/estimate-costs.ts";
import { compileCatalogue } from "../prices/catalogue.ts";
import type { PricePoint } from "../prices/price-point.ts";
import { optionOf, pointOf, seedDay, seedPoints } from "../testing/seeded.ts";
import { applyPriceBook, type BookedMachine, type BookPrice, type PriceBook, withBookRates } from "./price-book.ts";

const today = "2026-11-25";
const book = (entries: Partial<PriceBook>): PriceBook => ({ prices: [], machines: [], rates: [], ...entries });
const discount = (percent: number, thing: Partial<BookPrice> = {}): BookPrice => ({
  ...{ provider: "aws", region: "any", sku: "alb", unit: "hour", validFrom: "2026-01-01" },
  ...thing,
  price: { kind: "discount", percent },
});
const amount = (micros: number, thing: Partial<BookPrice> = {}): BookPrice => ({
  ...discount(1, thing),
  price: { kind: "amount", micros, per: 1, currency: "USD" },
});
const machine = (fields: Partial<BookedMachine> = {}): BookedMachine => ({
  ...{ name: "rack-7", cores: 4, networkMbps: 1_000, currency: "USD", validFrom: "2026-01-01" },
  ...{ purchaseMicros: 4_800e6, amortisedMonths: 48, powerWatts: 0, kwhMicros: 0, pue: 1 },
  ...{ hostingMonthlyMicros: 0, staffHoursPerMonth: 0, staffHourlyMicros: 0, staffShare: 0 },
  ...fields,
});
const listed = (region: string, fields: Partial<PricePoint> = {}) =>
  pointOf({ provider: "aws", sku: "alb", region, micros: 20_000, ...fields });

function costs(
  points: PricePoint[],
  entries: Partial<PriceBook>,
  region = "us-east-1",
  day = today,
): number[] | undefined {
  const list = applyPriceBook(points, book(entries), day);
  const price = compileCatalogue(list.points, { now: seedDay }).find("aws", region, "alb", "USD");
  return price?.tiers.map(({ micros }) => micros);
}

it("uses a negotiated price instead of the list price, from its first day on", () => {
  const prices = [amount(18_000, { validFrom: "2026-06-01" }), amount(15_000, { validFrom: "2026-11-01" })];
  const at = (day: string) => costs([listed("us-east-1")], { prices }, "us-east-1", day);
  expect([at("2026-05-31"), at("2026-06-01"), at("2026-10-31"), at("2026-11-01")]).toEqual([
    [20_000],
    [18_000],
    [18_000],
    [15_000],
  ]);
});

it("discounts every tier, exactly", () => {
  const tiers = [listed("us-east-1", { micros: 1, per: 3 }), listed("us-east-1", { fromUnits: 100, micros: 7 })];
  const list = applyPriceBook(tiers, book({ prices: [discount(12.34)] }), today);
  expect(list.points.slice(2)).toMatchObject([
    { micros: 4_383, per: 15_000, confidence: "own" },
    { micros: 7 * 4_383, per: 5_000, fromUnits: 100, source: "https://prices.example less 12.34 % by the price book" },
  ]);
});

it("applies a discount for all regions to the list price of each region", () => {
  const points = [listed("us-east-1"), listed("eu-west-1", { micros: 30_000 })];
  expect(costs(points, { prices: [discount(10)] })).toEqual([18_000]);
  expect(costs(points, { prices: [discount(10)] }, "eu-west-1")).toEqual([27_000]);
});

it("prefers a negotiated price of a region to one of all regions", () => {
  const points = [listed("us-east-1"), listed("eu-west-1")];
  for (const prices of [
    [discount(10), amount(5_000, { region: "eu-west-1" })],
    [amount(18_000), discount(75, { region: "eu-west-1" })],
  ]) {
    expect(costs(points, { prices })).toEqual([18_000]);
    expect(costs(points, { prices }, "eu-west-1")).toEqual([5_000]);
  }
});

it("applies a discount of a region to the list price of its wider region", () => {
  const list = applyPriceBook(
    seedPoints,
    book({ prices: [discount(50, { ...gcpEgress, region: "us-west1" })] }),
    today,
  );
  const find = (points: readonly PricePoint[]) =>
    compileCatalogue(points, { now: seedDay })
      .find("gcp", "us-west1", "egress", "USD")
      ?.tiers.map(({ micros }) => micros);
  expect(find(list.points)).toEqual(find(seedPoints)?.map((micros) => micros / 2));
  // A negotiated price of one region doesn't hide the others.
  const regions = (points: readonly PricePoint[]) => compileCatalogue(points, { now: seedDay }).regionsOf("gcp");
  expect(regions(list.points)).toEqual(regions(seedPoints));
});
const gcpEgress = { provider: "gcp", sku: "egress", unit: "GiB" } as const;

it("applies no discount without a list price", () => {
  expect(applyPriceBook([], book({ prices: [discount(10)] }), today).points).toEqual([]);
});

it("offers own machines by name, at their cost", () => {
  const list = applyPriceBook(
    seedPoints,
    book({ machines: [machine(), machine({ name: "rack-9", cores: 16 })] }),
    today,
  );
  const catalogue = compileCatalogue(list.points, { now: seedDay, machines: list.machines });
  const estimate = estimateCosts(estimateRequest.parse({ profile: { averageMbps: 300 } }), catalogue);
  const option = optionOf(estimate, "own-haproxy-rack-7");
  expect(option).toMatchObject({ product: "HAProxy on rack-7", monthlyMicros: 200e6, fits: true });
  expect(option.breakdown).toMatchObject([{ item: "Machines rack-7", unit: "month" }]);
  expect(option.prices).toEqual([
    { sku: "machine-rack-7", asOf: null, source: "the price book, from 2026-01-01 on", confidence: "own" },
  ]);
  expect(option.reasons).toEqual([
    "Its known capacity is enough for the peak.",
    "2 machines rack-7: if one fails, the others carry the peak.",
  ]);
  expect(estimate.unpriced.filter(({ provider }) => provider === "own")).toEqual([]);
  expect(optionOf(estimate, "own-fairlead-rack-9").capacity[0]).toMatchObject({
    limit: 1_000,
    source: "the price book",
  });
});

it("explains what is missing without machines in the price book", () => {
  const catalogue = compileCatalogue(seedPoints, { now: seedDay });
  const { unpriced } = estimateCosts(estimateRequest.parse({ profile: { averageMbps: 1 } }), catalogue);
  expect(unpriced.filter(({ provider }) => provider === "own").map(({ reason }) => reason)).toContain(
    "There is no price of a machine of yours: add one to the price book.",
  );
});

it("uses the newest entry of a machine, from its first day on", () => {
  const machines = [
    machine(),
    machine({ validFrom: "2026-11-20", cores: 8 }),
    machine({ name: "next", validFrom: "2027-01-01" }),
  ];
  expect(applyPriceBook([], book({ machines }), today).machines).toEqual([
    { sku: "machine-rack-7", name: "rack-7", cores: 8, mbps: 1_000 },
  ]);
});

it("uses the rate of the day, in either direction", () => {
  const rates = [
    { from: "EUR", to: "USD", rate: 1.1, asOf: "2026-01-01" },
    { from: "USD", to: "EUR", rate: 0.8, asOf: "2026-11-01" },
    { from: "EUR", to: "USD", rate: 2, asOf: "2026-12-01" },
  ];
  expect(applyPriceBook([], book({ rates }), today).rates).toEqual([rates[1]]);
  expect(applyPriceBook([], book({ rates }), "2026-02-01").rates).toEqual([rates[0]]);
  expect(applyPriceBook([], book({ rates }), "2025-02-01").rates).toEqual([]);
});

it("prefers the rate of a request to that of the book, even an older one", () => {
  const [requested, own, other] = [
    { from: "EUR", to: "USD", rate: 1, asOf: "2020-01-01" },
    { from: "USD", to: "EUR", rate: 0.8, asOf: "2026-11-01" },
    { from: "GBP", to: "USD", rate: 1.3, asOf: "2026-11-01" },
  ];
  expect(withBookRates([requested], [own, other])).toEqual([requested, other]);
});

it("reports the missing rate of a machine in another currency, and never adds the two", () => {
  const list = applyPriceBook(seedPoints, book({ machines: [machine({ currency: "EUR" })] }), today);
  const catalogue = compileCatalogue(list.points, { now: seedDay, machines: list.machines });
  const ask = (rates: object[]) =>
    estimateCosts(estimateRequest.parse({ profile: { averageMbps: 1 }, providers: ["own"], rates }), catalogue);
  expect(ask([]).options).toEqual([]);
  expect(new Set(ask([]).unpriced.map(({ reason }) => reason))).toEqual(
    new Set(["Its prices are in EUR: add a rate from EUR to USD."]),
  );
  const { options } = ask([{ from: "EUR", to: "USD", rate: 1.25, asOf: today }]);
  expect(new Set(options.map(({ monthlyMicros }) => monthlyMicros))).toEqual(new Set([250e6]));
});
