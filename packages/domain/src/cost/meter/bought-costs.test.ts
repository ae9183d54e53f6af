import { describe, expect, it } from "vitest";
import type { Strategy } from "../../exposure/strategy.ts";
import { cloud, facts, hoursOf, inAws, known, month, seeded, total } from "../testing/metered.ts";
import { estimateFor, optionOf, seedCatalogue } from "../testing/seeded.ts";
import { billingOf } from "./billing.ts";
import { hourOf, monthOf } from "./hours.ts";
import { meterCosts } from "./meter-costs.ts";

describe("a bought balancer", () => {
  it("costs in an hour what the calculator says of that traffic", () => {
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
  ])("of AWS at %s is told by its name", (address, items) => {
    const cost = meterCosts(billingOf(facts({ address, runs: inAws })), hoursOf({}).slice(0, 1), seeded);
    expect(cost.items.map(({ item }) => item)).toEqual(items);
  });

  it("whose traffic nobody measured costs what does not follow it, and says so", () => {
    const [hour] = hoursOf({ coveredSeconds: 0, bytesIn: null, connectionSeconds: null, connectionsNew: null });
    const cost = meterCosts(billingOf(facts({ runs: inAws })), hour ? [hour] : [], seeded);
    expect(cost.hours).toEqual([{ hour: month.from, micros: 22_500 + 5_000, existsSeconds: 3_600, knownSeconds: 0 }]);
    expect(cost.reasons).toEqual([expect.stringContaining("when nobody measured its traffic")]);
  });

  it("needs to know what goes out to clients", () => {
    const runs = { provider: "aws", region: "us-east-1" };
    const cost = meterCosts(billingOf(facts({ runs })), hoursOf({}).slice(0, 1), seeded);
    expect([total(cost), known(cost)]).toEqual([27_500, 0]);
    expect(cost.reasons).toEqual([expect.stringContaining("which share of the traffic")]);
  });

  it.each([
    ["is measured", { bytesOut: 9e9 }],
    ["is counted with the rest", { bytesIn: null, bytesBoth: 10e9 }],
  ])("costs the same when what goes out %s", (_, carried) => {
    const told = meterCosts(billingOf(facts({ runs: inAws })), hoursOf({}).slice(0, 1), seeded);
    const runs = { provider: "aws", region: "us-east-1" };
    const cost = meterCosts(billingOf(facts({ runs })), hoursOf(carried).slice(0, 1), seeded);
    expect([total(cost), known(cost), cost.reasons]).toEqual([total(told), 3_600, []]);
  });

  it("costs what is known of it where its connections are not", () => {
    const runs = { provider: "aws", region: "us-east-1", internetShare: 1 };
    const [hour] = hoursOf({ bytesOut: 9e9, connectionsNew: null });
    const cost = meterCosts(billingOf(facts({ runs })), hour ? [hour] : [], seeded);
    expect(cost.items.map(({ item }) => item)).toContain("Data to the internet");
    expect(known(cost)).toBe(0);
    expect(cost.reasons).toEqual([expect.stringContaining("connections were not measured")]);
  });

  it("pays for what goes to the internet as soon as somebody says so", () => {
    const runs = { ...inAws, internetShare: 0.5 };
    const cost = meterCosts(billingOf(facts({ runs })), hoursOf({ bytesOut: 9e9 }).slice(0, 1), seeded);
    const internet = cost.items.find(({ item }) => item === "Data to the internet");
    const egress = seedCatalogue.find("aws", "us-east-1", "egress", "USD")?.tiers[0]?.micros ?? Number.NaN;
    expect(internet?.quantity).toBeCloseTo(4.5, 9);
    expect(internet?.micros).toBe(Math.round(4.5 * egress));
    const both = hoursOf({ bytesIn: null, bytesBoth: 10e9 }).slice(0, 1);
    const unsaid = { provider: "aws", region: "us-east-1", internetShare: 0.5 };
    expect(known(meterCosts(billingOf(facts({ runs: unsaid })), both, seeded))).toBe(0);
    expect(known(meterCosts(billingOf(facts({ runs })), both, seeded))).toBe(3_600);
  });

  it("pays a begun hour whole, and only the measured part of its traffic", () => {
    const half = hoursOf({ existsSeconds: 1_800, coveredSeconds: 900, bytesIn: 1e9 / 4 }).slice(0, 1);
    const cost = meterCosts(billingOf(facts({ runs: inAws })), half, seeded);
    expect(cost.items.find(({ item }) => item === "Balancer hours")).toMatchObject({ quantity: 1, micros: 22_500 });
    expect(cost.items.find(({ unit }) => unit === "capacity-unit-hour")?.quantity).toBeCloseTo(10 / 4, 9);
    expect(known(cost)).toBe(900);
  });

  it("of Hetzner has its own included data, however many there are beside it", () => {
    const runs = { provider: "hetzner", region: "eu", internetShare: 1 } as const;
    const strategy: Strategy = { type: "per-replica", addressing: "dedicated" };
    const billing = billingOf(facts({ kind: "cloud", strategy, runs }));
    const costs = [1, 5].map((balancers) => {
      const togetherAt = () => ({ balancers, ports: balancers, protocols: balancers });
      // An hour of far more than a fifth of what is included in a month, and less than all of it.
      const used = hoursOf({ bytesIn: 0, bytesOut: 15e12 }).slice(0, 1);
      return meterCosts(billing, used, { ...seeded, togetherAt });
    });
    const data = costs.map(({ items }) => items.find(({ item }) => item === "Data to the internet"));
    expect(data.map((each) => [each?.quantity, each?.micros])).toEqual([
      [15_000, 0],
      [15_000, 0],
    ]);
  });

  it("has no public address inside, and sends nothing to the internet", () => {
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

  it("shares what is free in a month with the others of its cluster, and says so", () => {
    const runs = { provider: "oracle", region: "us-ashburn-1", responseShare: 0 };
    const strategy: Strategy = { type: "per-replica", addressing: "dedicated" };
    const togetherAt = () => ({ balancers: 10, ports: 10, protocols: 10 });
    const cost = meterCosts(billingOf(facts({ strategy, runs })), hoursOf({ bytesIn: 0 }), { ...seeded, togetherAt });
    const [balancer, bandwidth] = [0.0113 * (7_200 - 744), 0.0001 * (72_000 - 7_440)].map((all) => (all * 1e6) / 10);
    expect(total(cost)).toBeCloseTo((balancer ?? 0) + (bandwidth ?? 0), -1);
    expect(cost.reasons).toContain(
      "What is free of flexible-lb in a month is taken to be shared by the balancers of the cluster alone.",
    );
  });

  it("comes to its monthly price in a whole month, however long that is", () => {
    const runs = { provider: "digitalocean", region: "any" };
    const strategy: Strategy = { type: "per-replica", addressing: "dedicated" };
    for (const start of ["2026-02-01", "2026-10-01"]) {
      const hours = hoursOf({}, monthOf(hourOf(new Date(start))));
      expect(total(meterCosts(billingOf(facts({ strategy, runs })), hours, seeded))).toBe(12_000_000);
    }
  });

  it("has what is free in a month once", () => {
    const runs = { provider: "oracle", region: "us-ashburn-1", responseShare: 0 };
    const strategy: Strategy = { type: "per-replica", addressing: "dedicated" };
    const cost = meterCosts(billingOf(facts({ strategy, runs })), hoursOf({ bytesIn: 4.5e9 * 10 }), seeded);
    const item = cost.items.find(({ unit }) => unit === "Mbps-hour");
    expect(item?.quantity).toBeCloseTo(720 * 100, 5);
    expect(item?.micros).toBeCloseTo((720 * 100 - 7_440) * 100, -1);
  });
});
