import { describe, expect, it } from "vitest";
import { type Chance, chanceOf } from "../../experiment/chance.ts";
import type { Strategy } from "../../exposure/strategy.ts";
import { compileCatalogue } from "../prices/catalogue.ts";
import { cloud, ecmp, facts, hoursOf, inAws, known, month, seeded, total, usingOf } from "../testing/metered.ts";
import { pointOf, seedCatalogue, seedPoints } from "../testing/seeded.ts";
import { billingOf } from "./billing.ts";
import { monthOf } from "./hours.ts";
import { meterCosts } from "./meter-costs.ts";
import type { MeteredHour } from "./metered-load.ts";

describe("an unknown cost", () => {
  it.each([
    [facts({ kind: "fairlead", strategy: ecmp }), "The machines of the balancers of prod are not set"],
    [facts({ strategy: { type: "per-replica", addressing: "dedicated" } }), "The provider of prod is not set"],
    [facts({}), "The region of prod at AWS is not set"],
    [facts({ runs: { provider: "aws", region: "us-nowhere-1" } }), "no price of nlb in us-nowhere-1 at AWS"],
    [facts({ kind: "fairlead", strategy: ecmp, runs: { ...inAws, machine: "x" } }), "no price of x in us-east-1"],
  ])("has a reason with what to do, and is never free (%#)", (what, reason) => {
    const cost = meterCosts(billingOf(what), hoursOf({}).slice(0, 3), seeded);
    expect(cost.reasons).toEqual([expect.stringContaining(reason)]);
    expect([cost.hours.length, total(cost), known(cost)]).toEqual([3, 0, 0]);
  });

  it("results from a currency without a rate", () => {
    const billing = billingOf(facts({ runs: inAws }));
    expect(meterCosts(billing, hoursOf({}).slice(0, 1), usingOf(seedCatalogue, "EUR")).reasons).toEqual([
      "Its prices are in USD, and there is no rate to EUR: add one.",
    ]);
    const rates = [{ from: "EUR", to: "USD", rate: 2, asOf: "2026-11-01" }];
    const euros = meterCosts(billing, hoursOf({}), usingOf(seedCatalogue, "EUR", rates));
    expect(total(euros)).toBeCloseTo(total(meterCosts(billing, hoursOf({}), seeded)) / 2, -1);
  });

  it("is not the cost of a balancer for which nothing is bought", () => {
    const strategy: Strategy = { type: "per-replica", addressing: "node-port" };
    const cost = meterCosts(billingOf(facts({ strategy })), hoursOf({}).slice(0, 1), seeded);
    expect([total(cost), known(cost)]).toEqual([0, 3_600]);
  });
});

it("uses a new price from its hour on", () => {
  const dearer = compileCatalogue(
    [...seedPoints, pointOf({ provider: "aws", region: "us-east-1", sku: "nlb", micros: 100_000 })],
    {
      now: new Date("2026-11-16"),
    },
  );
  const change = month.from + 15 * 24;
  const before = seeded.pricesAt(0);
  const later = { ...before, day: "2026-11-16", catalogue: dearer };
  const cost = meterCosts(billingOf(facts({ runs: inAws })), hoursOf({}), {
    pricesAt: (hour) => (hour < change ? before : later),
  });
  expect(cost.items.find(({ item }) => item === "Balancer hours")?.micros).toBe(360 * 22_500 + 360 * 100_000);
  expect(cost.prices.filter(({ sku }) => sku === "nlb").length).toBe(2);
});

// For random traffic, and each kind of billing.
const everyBilling = [
  facts({ runs: inAws }),
  facts({ strategy: cloud("gcp"), runs: { provider: "gcp", region: "us-central1", responseShare: 0.5 } }),
  facts({ strategy: cloud("azure"), runs: { provider: "azure", region: "eastus", responseShare: 0.5 } }),
  facts({
    strategy: { type: "per-replica", addressing: "dedicated" },
    runs: { provider: "oracle", region: "us-ashburn-1", responseShare: 0.5 },
  }),
  facts({
    strategy: { type: "per-replica", addressing: "dedicated" },
    runs: { provider: "hetzner", region: "fsn1", responseShare: 0.5 },
  }),
  facts({
    kind: "fairlead",
    strategy: ecmp,
    runs: { provider: "aws", region: "us-east-1", machine: "c7g.large", machineShare: 0.3 },
  }),
].map(billingOf);

function randomHours(chance: Chance, span: { from: number; to: number }): MeteredHour[] {
  return hoursOf({}, span).map((hour) => {
    const existsSeconds = Math.ceil(3_600 * chance());
    const coveredSeconds = Math.floor(existsSeconds * chance());
    return chance() < 0.1
      ? { ...hour, existsSeconds, coveredSeconds: 0, bytesIn: null, connectionSeconds: null, connectionsNew: null }
      : {
          ...{ ...hour, existsSeconds, coveredSeconds, machineSeconds: 7_200 * chance() },
          ...{ bytesIn: 1e12 * chance() ** 4, connectionSeconds: 1e8 * chance(), connectionsNew: 1e6 * chance() },
        };
  });
}

describe.each([1, 2, 3])("with random hours, seed %i", (seed) => {
  const chance = chanceOf(seed);
  const span = { from: month.from - 100, to: month.to + 50 };
  const begin = monthOf(span.from).from;

  it("adds up exactly for any split of hours", () => {
    for (const billing of everyBilling) {
      const hours = randomHours(chance, { from: begin, to: span.to });
      const whole = meterCosts(billing, hours, { ...seeded, from: span.from });
      const cuts = Array.from({ length: 5 }, () => span.from + Math.floor(chance() * (span.to - span.from)));
      const bounds = [span.from, ...cuts.sort((a, b) => a - b), span.to];
      const parts = bounds.slice(1).map((to, i) => {
        const from = bounds[i] ?? 0;
        const own = hours.filter(({ hour }) => hour >= monthOf(from).from && hour < to);
        return meterCosts(billing, own, { ...seeded, from });
      });
      expect(parts.flatMap((part) => part.hours)).toEqual(whole.hours);
      expect(whole.items.reduce((sum, { micros }) => sum + micros, 0)).toBe(total(whole));
      for (const { micros } of whole.hours) expect(Number.isInteger(micros)).toBe(true);
    }
  });

  it("never costs less with more usage", () => {
    for (const billing of everyBilling) {
      const hours = randomHours(chance, month);
      const more = hours.map((hour) => ({
        ...hour,
        machineSeconds: hour.machineSeconds * 1.5,
        ...(hour.bytesIn === null ? {} : { bytesIn: hour.bytesIn * (1 + chance()) }),
      }));
      expect(total(meterCosts(billing, more, seeded))).toBeGreaterThanOrEqual(
        total(meterCosts(billing, hours, seeded)),
      );
    }
  });
});

it("rounds an item of a month once", () => {
  const price = pointOf({ provider: "own", sku: "machine-tiny", micros: 1, per: 3 });
  const catalogue = compileCatalogue([price], { now: new Date("2026-11-01") });
  const runs = { provider: "own", region: "any", machine: "tiny" };
  const cost = meterCosts(
    billingOf(facts({ kind: "fairlead", strategy: ecmp, runs })),
    hoursOf({ machineSeconds: 3_600 }),
    usingOf(catalogue),
  );
  expect(total(cost)).toBe(240);
});
