import { describe, expect, it } from "vitest";
import type { Strategy } from "../../exposure/strategy.ts";
import { cloud, facts, hoursOf, inAws, known, month, seeded, total } from "../testing/metered.ts";
import { estimateFor, optionOf, seedCatalogue } from "../testing/seeded.ts";
import { billingOf } from "./billing.ts";
import { hourOf, monthOf } from "./hours.ts";
import { meterCosts } from "./meter-costs.ts";

describe("a bought balancer", () => {
  it("costs as much per hour as the calculator estimates for that traffic", () => {
    const cost = meterCosts(
      billingOf(facts({ runs: inAws })),
      hoursOf({}, { from: month.from, to: month.from + 1 }),
      seeded,
    );
    const estimate = estimateFor(
      {
        averageMbps: (10 * 8_000) / 3_600,
        newConnectionsPerSecond: 1,
        activeConnections: 100,
        connectionDurationSeconds: 100,
      },
      { providers: ["aws"], regions: ["us-east-1"] },
    );
    expect(total(cost)).toBe(optionOf(estimate, "aws-nlb").hourlyMicros);
    expect(known(cost)).toBe(3_600);
  });

  it.each([
    [
      "k8s-shop-0a1b2c3d4e.elb.us-east-1.amazonaws.com",
      ["Balancer hours", "Capacity units (NLCU)", "Public IPv4 addresses"],
    ],
    ["a1b2c3-1234567890.us-east-1.elb.amazonaws.com", ["Balancer hours", "Data", "Public IPv4 addresses"]],
    ["internal-a1b2c3-1234567890.us-east-1.elb.amazonaws.com.", ["Balancer hours", "Data"]],
  ])("of AWS at %s is identified by its host name", (address, items) => {
    const cost = meterCosts(billingOf(facts({ address, runs: inAws })), hoursOf({}).slice(0, 1), seeded);
    expect(cost.items.map(({ item }) => item)).toEqual(items);
  });

  it("without measured traffic has its fixed costs, with the reason", () => {
    const [hour] = hoursOf({ coveredSeconds: 0, bytesIn: null, connectionSeconds: null, connectionsNew: null });
    const cost = meterCosts(billingOf(facts({ runs: inAws })), hour ? [hour] : [], seeded);
    expect(cost.hours).toEqual([{ hour: month.from, micros: 22_500 + 5_000, existsSeconds: 3_600, knownSeconds: 0 }]);
    expect(cost.reasons).toEqual([expect.stringContaining("Hours without measured traffic")]);
  });

  it("needs the share of traffic to clients", () => {
    const runs = { provider: "aws", region: "us-east-1" };
    const cost = meterCosts(billingOf(facts({ runs })), hoursOf({}).slice(0, 1), seeded);
    expect([total(cost), known(cost)]).toEqual([27_500, 0]);
    expect(cost.reasons).toEqual([expect.stringContaining("set its share")]);
  });

  it.each([
    ["is measured", { bytesOut: 9e9 }],
    ["is counted with the total", { bytesIn: null, bytesBoth: 10e9 }],
  ])("costs the same when traffic to clients %s", (_, carried) => {
    const shared = meterCosts(billingOf(facts({ runs: inAws })), hoursOf({}).slice(0, 1), seeded);
    const runs = { provider: "aws", region: "us-east-1" };
    const cost = meterCosts(billingOf(facts({ runs })), hoursOf(carried).slice(0, 1), seeded);
    expect([total(cost), known(cost), cost.reasons]).toEqual([total(shared), 3_600, []]);
  });

  it("has its known costs without measured connections", () => {
    const runs = { provider: "aws", region: "us-east-1", internetShare: 1 };
    const [hour] = hoursOf({ bytesOut: 9e9, connectionsNew: null });
    const cost = meterCosts(billingOf(facts({ runs })), hour ? [hour] : [], seeded);
    expect(cost.items.map(({ item }) => item)).toContain("Data to the internet");
    expect(known(cost)).toBe(0);
    expect(cost.reasons).toEqual([expect.stringContaining("connections were not measured")]);
  });

  it("pays for traffic to the internet once its share is set", () => {
    const runs = { ...inAws, internetShare: 0.5 };
    const cost = meterCosts(billingOf(facts({ runs })), hoursOf({ bytesOut: 9e9 }).slice(0, 1), seeded);
    const internet = cost.items.find(({ item }) => item === "Data to the internet");
    const egress = seedCatalogue.find("aws", "us-east-1", "egress", "USD")?.tiers[0]?.micros ?? Number.NaN;
    expect(internet?.quantity).toBeCloseTo(4.5, 9);
    expect(internet?.micros).toBe(Math.round(4.5 * egress));
    const both = hoursOf({ bytesIn: null, bytesBoth: 10e9 }).slice(0, 1);
    const notSet = { provider: "aws", region: "us-east-1", internetShare: 0.5 };
    expect(known(meterCosts(billingOf(facts({ runs: notSet })), both, seeded))).toBe(0);
    expect(known(meterCosts(billingOf(facts({ runs })), both, seeded))).toBe(3_600);
  });

  it("pays for a started hour in full, and for its measured traffic only", () => {
    const half = hoursOf({ existsSeconds: 1_800, coveredSeconds: 900, bytesIn: 1e9 / 4 }).slice(0, 1);
    const cost = meterCosts(billingOf(facts({ runs: inAws })), half, seeded);
    expect(cost.items.find(({ item }) => item === "Balancer hours")).toMatchObject({ quantity: 1, micros: 22_500 });
    expect(cost.items.find(({ unit }) => unit === "capacity-unit-hour")?.quantity).toBeCloseTo(10 / 4, 9);
    expect(known(cost)).toBe(900);
  });

  it("of Hetzner has its own included traffic, regardless of the number of balancers", () => {
    const runs = { provider: "hetzner", region: "eu", internetShare: 1 } as const;
    const strategy: Strategy = { type: "per-replica", addressing: "dedicated" };
    const billing = billingOf(facts({ kind: "cloud", strategy, runs }));
    const costs = [1, 5].map((balancers) => {
      const togetherAt = () => ({ balancers, ports: balancers, protocols: balancers });
      // An hour with more than a fifth of the traffic included in a month, and less than all of it.
      const used = hoursOf({ bytesIn: 0, bytesOut: 15e12 }).slice(0, 1);
      return meterCosts(billing, used, { ...seeded, togetherAt });
    });
    const data = costs.map(({ items }) => items.find(({ item }) => item === "Data to the internet"));
    expect(data.map((each) => [each?.quantity, each?.micros])).toEqual([
      [15_000, 0],
      [15_000, 0],
    ]);
  });

  it("that is internal has no public address and no traffic to the internet", () => {
    const strategy: Strategy = { type: "cloud", provider: "aws", scheme: "internal" };
    const runs = { ...inAws, internetShare: 1 };
    const cost = meterCosts(billingOf(facts({ strategy, runs })), hoursOf({}).slice(0, 1), seeded);
    expect(cost.items.map(({ item }) => item)).toEqual(["Balancer hours", "Capacity units (NLCU)"]);
  });

  it.each([
    ["gcp", "us-central1", /^Forwarding rules/, (25_000 + 5 * 10_000) / 10],
    ["azure", "eastus", /rules/i, (25_000 + 25 * 10_000) / 10],
  ] as const)("of %s shares the bundle of rules with the others of its cluster", (provider, region, item, micros) => {
    const runs = { provider, region, responseShare: 0 };
    const ports = Array.from({ length: 3 }, () => ({ protocol: "tcp" as const }));
    const billing = billingOf(facts({ strategy: cloud(provider), runs, ports }));
    const togetherAt = () => ({ balancers: 10, ports: 30, protocols: 10 });
    const cost = meterCosts(billing, hoursOf({}).slice(0, 1), { ...seeded, togetherAt });
    const rules = cost.items.filter((each) => item.test(each.item));
    expect(rules.reduce((sum, each) => sum + each.micros, 0)).toBe(micros);
    expect(cost.items.find(({ item }) => item === "Public IPv4 addresses")?.quantity).toBe(1);
  });

  it("shares the free monthly amount with the others of its cluster, with a note", () => {
    const runs = { provider: "oracle", region: "us-ashburn-1", responseShare: 0 };
    const strategy: Strategy = { type: "per-replica", addressing: "dedicated" };
    const togetherAt = () => ({ balancers: 10, ports: 10, protocols: 10 });
    const cost = meterCosts(billingOf(facts({ strategy, runs })), hoursOf({ bytesIn: 0 }), { ...seeded, togetherAt });
    const [balancer, bandwidth] = [0.0113 * (7_200 - 744), 0.0001 * (72_000 - 7_440)].map((all) => (all * 1e6) / 10);
    expect(total(cost)).toBeCloseTo((balancer ?? 0) + (bandwidth ?? 0), -1);
    expect(cost.reasons).toContain(
      "The free monthly amount of flexible-lb is assumed to be shared by the balancers of this cluster only.",
    );
  });

  it("costs its monthly price in a whole month of any length", () => {
    const runs = { provider: "digitalocean", region: "any" };
    const strategy: Strategy = { type: "per-replica", addressing: "dedicated" };
    for (const start of ["2026-02-01", "2026-10-01"]) {
      const hours = hoursOf({}, monthOf(hourOf(new Date(start))));
      expect(total(meterCosts(billingOf(facts({ strategy, runs })), hours, seeded))).toBe(12_000_000);
    }
  });

  it("gets the free monthly amount once", () => {
    const runs = { provider: "oracle", region: "us-ashburn-1", responseShare: 0 };
    const strategy: Strategy = { type: "per-replica", addressing: "dedicated" };
    const cost = meterCosts(billingOf(facts({ strategy, runs })), hoursOf({ bytesIn: 4.5e9 * 10 }), seeded);
    const item = cost.items.find(({ unit }) => unit === "Mbps-hour");
    expect(item?.quantity).toBeCloseTo(720 * 100, 5);
    expect(item?.micros).toBeCloseTo((720 * 100 - 7_440) * 100, -1);
  });
});
