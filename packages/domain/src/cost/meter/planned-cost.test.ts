import { expect, it } from "vitest";
import { compileCatalogue } from "../prices/catalogue.ts";
import { cloud, ecmp, facts, month, seeded, usingOf } from "../testing/metered.ts";
import { pointOf, seedCatalogue } from "../testing/seeded.ts";
import { billingOf } from "./billing.ts";
import { planCost } from "./planned-cost.ts";

const then = seeded.pricesAt(month.from);
const one = { balancerCount: 1, machineCount: 0, hour: month.from };
const priceOf = (sku: string) => seedCatalogue.find("aws", "us-east-1", sku, "USD")?.tiers[0]?.micros ?? Number.NaN;
const dateOf = (sku: string) => seedCatalogue.find("aws", "us-east-1", sku, "USD")?.asOf;
const aws = { provider: "aws", region: "us-east-1" };

it("of a provider's balancer is its hour and its address; traffic is paid on top", () => {
  const billing = billingOf(facts({ strategy: cloud("aws"), runs: aws }));
  expect(planCost(billing, one, then)).toEqual({
    hourlyMicros: priceOf("nlb") + priceOf("public-ipv4"),
    items: [
      { item: expect.any(String), quantity: 1, micros: priceOf("nlb") },
      { item: "Public IPv4 addresses", quantity: 1, micros: priceOf("public-ipv4") },
    ],
    priceDates: { oldest: dateOf("nlb"), newest: dateOf("public-ipv4") },
    paysForTraffic: true,
    reason: "",
  });
});

it("counts a balancer for each instance", () => {
  const billing = billingOf(facts({ strategy: { type: "per-replica", addressing: "dedicated" }, runs: aws }));
  const three = planCost(billing, { ...one, balancerCount: 3 }, then);
  expect(three.hourlyMicros).toBe(3 * (priceOf("nlb") + priceOf("public-ipv4")));
  expect(three.items[0]).toMatchObject({ quantity: 3 });
});

it("of our own balancers is the machines of its replicas, however many balancers share them", () => {
  const runs = { ...aws, machine: "c7g.large", machineShare: 0.5 };
  const billing = billingOf(facts({ kind: "fairlead", address: "10.0.0.1", strategy: ecmp, runs }));
  for (const balancerCount of [1, 4]) {
    const { hourlyMicros, items, paysForTraffic } = planCost(billing, { ...one, balancerCount, machineCount: 2 }, then);
    expect(hourlyMicros).toBeCloseTo(2 * 0.5 * priceOf("c7g.large"), -2);
    expect(items).toMatchObject([{ item: "Machines c7g.large", quantity: 1 }]);
    expect(paysForTraffic).toBe(false);
  }
});

it("counts machines with a monthly price as machines", () => {
  const point = pointOf({ provider: "own", region: "any", sku: "machine-rack", unit: "month", micros: 72_000_000 });
  const { pricesAt } = usingOf(compileCatalogue([point], { now: new Date("2026-11-02") }));
  const runs = { provider: "own", region: "any", machine: "rack" };
  const billing = billingOf(facts({ kind: "fairlead", address: "10.0.0.1", strategy: ecmp, runs }));
  const { hourlyMicros, items } = planCost(billing, { ...one, machineCount: 2 }, pricesAt(month.from));
  // November has 720 hours.
  expect(hourlyMicros).toBe(200_000);
  expect(items).toEqual([{ item: "Machines rack", quantity: expect.closeTo(2), micros: 200_000 }]);
});

it.each([
  [
    "machines that aren't set",
    { kind: "fairlead", strategy: ecmp, runs: aws },
    "The machines of the balancers of prod are not set",
  ],
  [
    "a price that isn't known",
    { kind: "fairlead", strategy: ecmp, runs: { ...aws, machine: "x9.huge" } },
    "no price of x9.huge in us-east-1 at AWS",
  ],
  ["a region that isn't set", { strategy: cloud("gcp") }, "The region of prod at Google Cloud is not set"],
] as const)("is unknown with %s, and the reason says what to do", (_, fields, reason) => {
  const cost = planCost(billingOf(facts(fields)), { ...one, machineCount: 2 }, then);
  expect(cost).toEqual({
    hourlyMicros: null,
    items: [],
    priceDates: { oldest: null, newest: null },
    paysForTraffic: false,
    reason: expect.stringContaining(reason),
  });
});

it("is nothing for ports of nodes that run anyway", () => {
  const billing = billingOf(facts({ strategy: { type: "per-replica", addressing: "node-port" } }));
  expect(planCost(billing, one, then)).toMatchObject({ hourlyMicros: 0, reason: expect.stringContaining("no cost") });
});

it("is unknown with a rate that makes it too large to be exact", () => {
  const billing = billingOf(facts({ strategy: cloud("aws"), runs: aws }));
  const rate = usingOf(seedCatalogue, "XXX", [{ from: "USD", to: "XXX", rate: 1e15, asOf: "2026-01-01" }]);
  expect(planCost(billing, one, rate.pricesAt(month.from))).toEqual({
    ...{ hourlyMicros: null, items: [], paysForTraffic: false },
    priceDates: { oldest: null, newest: null },
    reason: "With the rates of the price book its price is too large: correct the rates.",
  });
});
