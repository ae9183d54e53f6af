import { describe, expect, it } from "vitest";
import { compileCatalogue } from "../prices/catalogue.ts";
import { ecmp, facts, hoursOf, known, seeded, total, usingOf } from "../testing/metered.ts";
import { pointOf, seedCatalogue, seedPoints } from "../testing/seeded.ts";
import { billingOf } from "./billing.ts";
import { meterCosts } from "./meter-costs.ts";

describe("our own balancers", () => {
  it("cost their machines and public addresses, regardless of traffic", () => {
    const runs = { provider: "aws", region: "us-east-1", machine: "c7g.large", machineShare: 0.25 };
    const billing = billingOf(facts({ kind: "fairlead", strategy: ecmp, runs }));
    const cost = meterCosts(billing, hoursOf({ bytesIn: null, coveredSeconds: 0 }).slice(0, 2), seeded);
    const machine = seedCatalogue.find("aws", "us-east-1", "c7g.large", "USD")?.tiers[0]?.micros ?? 0;
    expect(total(cost)).toBe(Math.round(2 * (2 * 0.25 * machine + 5_000)));
    expect(known(cost)).toBe(7_200);
  });

  it("pay for traffic between zones, which is half as much with direct server return", () => {
    const runs = { provider: "aws", region: "us-east-1", machine: "c7g.large", zones: 2 };
    const billing = billingOf(facts({ kind: "fairlead", strategy: ecmp, runs }));
    const between = (bytesOut: number | null) => {
      const cost = meterCosts(billing, hoursOf({ bytesOut }).slice(0, 1), seeded);
      return [cost.items.find(({ item }) => item === "Data between zones")?.quantity, known(cost)];
    };
    expect([between(0), between(1e9), between(null)]).toEqual([
      [1, 3_600],
      [2, 3_600],
      [undefined, 0],
    ]);
  });

  it("at Hetzner pay for their address if the price of the machine doesn't include one", () => {
    const runs = { provider: "hetzner", region: "eu", machine: "cx22" };
    const billing = billingOf(facts({ kind: "fairlead", strategy: ecmp, runs }));
    const fed = seedPoints.map((point) =>
      point.sku === "cx22" ? { ...point, source: "https://api.example/pricing" } : point,
    );
    const rates = [{ from: "EUR", to: "USD", rate: 1, asOf: "2026-11-01" }];
    const pays = (points: typeof seedPoints) =>
      meterCosts(
        billing,
        hoursOf({}).slice(0, 1),
        usingOf(compileCatalogue(points, { now: new Date("2026-11-02") }), "USD", rates),
      ).items.some(({ item }) => item === "Public IPv4 addresses");
    expect([pays(seedPoints), pays(fed)]).toEqual([false, true]);
  });

  it("on own machines have the name in the price book", () => {
    const runs = { provider: "own", region: "any", machine: "rack-7" };
    const points = [pointOf({ provider: "own", region: "any", sku: "machine-rack-7", unit: "hour", micros: 1_000 })];
    const using = usingOf(compileCatalogue(points, { now: new Date("2026-11-02") }));
    const cost = meterCosts(
      billingOf(facts({ kind: "fairlead", strategy: ecmp, runs })),
      hoursOf({}).slice(0, 1),
      using,
    );
    expect(cost.items).toEqual([{ item: "Machines rack-7", unit: "hour", quantity: 2, micros: 2_000 }]);
  });

  it.each([
    ["10.0.0.1", false],
    ["2600::1", false],
    ["8.8.8.8", true],
    ["a.elb.amazonaws.com", true],
    [null, false],
  ])("at %s pay for a public IPv4 address: %s", (address, pays) => {
    const runs = { provider: "aws", region: "us-east-1", machine: "c7g.large" };
    const billing = billingOf(facts({ kind: "fairlead", strategy: ecmp, runs, address }));
    const cost = meterCosts(billing, hoursOf({}).slice(0, 1), seeded);
    expect(cost.items.some(({ item }) => item === "Public IPv4 addresses")).toBe(pays);
  });
});
