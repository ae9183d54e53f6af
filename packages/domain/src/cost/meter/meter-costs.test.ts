import { describe, expect, it } from "vitest";
import { type Chance, chanceOf } from "../../chance.ts";
import type { Strategy } from "../../strategy.ts";
import { type Catalogue, compileCatalogue } from "../prices/catalogue.ts";
import { exchangeTo } from "../prices/currency.ts";
import { estimateFor, optionOf, pointOf, seedCatalogue, seedPoints } from "../testing/seeded.ts";
import { type BalancerFacts, billingOf } from "./billing.ts";
import { hourOf, monthOf } from "./hours.ts";
import { type MeteredCost, type MeteredWith, meterCosts } from "./meter-costs.ts";
import type { MeteredHour } from "./metered-load.ts";
import { runsAs } from "./runs-as.ts";

const month = monthOf(hourOf(new Date("2026-11-01T00:00:00Z")));
const hoursOf = (fields: Partial<MeteredHour>, { from, to } = month): MeteredHour[] =>
  Array.from({ length: to - from }, (_, i) => ({
    hour: from + i,
    existsSeconds: 3_600,
    addressSeconds: 3_600,
    coveredSeconds: 3_600,
    machineSeconds: 7_200,
    bytesIn: 1e9,
    bytesOut: null,
    bytesBoth: null,
    connectionSeconds: 3_600 * 100,
    connectionsNew: 3_600,
    ...fields,
  }));

const cloud = (provider: "aws" | "gcp" | "azure"): Strategy => ({ type: "cloud", provider, scheme: "public" });
const ecmp: Strategy = { type: "ecmp", replicas: 2, poolId: "pool_1" };
const facts = (fields: Partial<BalancerFacts> & { runs?: object }): BalancerFacts => ({
  ...{ name: "shop", kind: "cloud", instance: null, address: "8.8.8.8", exposureName: "shop", clusterName: "prod" },
  ...{ clusterRegion: "", labels: {}, strategy: cloud("aws"), ports: [{ protocol: "tcp" }] },
  ...fields,
  runsAs: fields.runs ? runsAs.parse(fields.runs) : null,
});

const usingOf = (catalogue: Catalogue, currency = "USD", rates: Parameters<typeof exchangeTo>[1] = []): MeteredWith => {
  const prices = { day: "2026-11-01", catalogue, exchange: exchangeTo(currency, rates), currency };
  return { pricesAt: () => prices };
};
const seeded = usingOf(seedCatalogue);
const total = ({ hours }: MeteredCost) => hours.reduce((micros, hour) => micros + hour.micros, 0);
const known = ({ hours }: MeteredCost) => hours.reduce((seconds, hour) => seconds + hour.knownSeconds, 0);

const inAws = { provider: "aws", region: "us-east-1", responseShare: 0.9 };

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

describe("our own balancers", () => {
  it("cost their machines and public addresses, however much they carry", () => {
    const runs = { provider: "aws", region: "us-east-1", machine: "c7g.large", machineShare: 0.25 };
    const billing = billingOf(facts({ kind: "fairlead", strategy: ecmp, runs }));
    const cost = meterCosts(billing, hoursOf({ bytesIn: null, coveredSeconds: 0 }).slice(0, 2), seeded);
    const machine = seedCatalogue.find("aws", "us-east-1", "c7g.large", "USD")?.tiers[0]?.micros ?? 0;
    expect(total(cost)).toBe(Math.round(2 * (2 * 0.25 * machine + 5_000)));
    expect(known(cost)).toBe(7_200);
  });

  it("pay between zones for what they carried, which is half of it where answers pass them by", () => {
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

  it("at Hetzner pay for their address where the price of the machine has none in it", () => {
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

  it("of one's own are told by the name that the price book has", () => {
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
  ])("at %s pays for a public address of IPv4: %s", (address, pays) => {
    const runs = { provider: "aws", region: "us-east-1", machine: "c7g.large" };
    const billing = billingOf(facts({ kind: "fairlead", strategy: ecmp, runs, address }));
    const cost = meterCosts(billing, hoursOf({}).slice(0, 1), seeded);
    expect(cost.items.some(({ item }) => item === "Public IPv4 addresses")).toBe(pays);
  });
});

describe("what is unknown", () => {
  it.each([
    [facts({ kind: "fairlead", strategy: ecmp }), "which machines"],
    [facts({ strategy: { type: "per-replica", addressing: "dedicated" } }), "at which provider"],
    [facts({}), "in which region of AWS"],
    [facts({ runs: { provider: "aws", region: "us-nowhere-1" } }), "no price of nlb in us-nowhere-1 at AWS"],
    [facts({ kind: "fairlead", strategy: ecmp, runs: { ...inAws, machine: "x" } }), "no price of x in us-east-1"],
  ])("is told with what to do, and never free (%#)", (what, reason) => {
    const cost = meterCosts(billingOf(what), hoursOf({}).slice(0, 3), seeded);
    expect(cost.reasons).toEqual([expect.stringContaining(reason)]);
    expect([cost.hours.length, total(cost), known(cost)]).toEqual([3, 0, 0]);
  });

  it("is what is priced in a currency without a rate", () => {
    const billing = billingOf(facts({ runs: inAws }));
    expect(meterCosts(billing, hoursOf({}).slice(0, 1), usingOf(seedCatalogue, "EUR")).reasons).toEqual([
      "Its prices are in USD, and no rate to EUR is known: give one.",
    ]);
    const rates = [{ from: "EUR", to: "USD", rate: 2, asOf: "2026-11-01" }];
    const euros = meterCosts(billing, hoursOf({}), usingOf(seedCatalogue, "EUR", rates));
    expect(total(euros)).toBeCloseTo(total(meterCosts(billing, hoursOf({}), seeded)) / 2, -1);
  });

  it("is not what nothing is bought for", () => {
    const strategy: Strategy = { type: "per-replica", addressing: "node-port" };
    const cost = meterCosts(billingOf(facts({ strategy })), hoursOf({}).slice(0, 1), seeded);
    expect([total(cost), known(cost)]).toEqual([0, 3_600]);
  });
});

it("takes another price from its hour on", () => {
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

// Whatever the traffic, and whichever way it is paid.
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

describe.each([1, 2, 3])("by chance, seed %i", (seed) => {
  const chance = chanceOf(seed);
  const span = { from: month.from - 100, to: month.to + 50 };
  const begin = monthOf(span.from).from;

  it("adds up exactly, however hours are split", () => {
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

  it("never costs less where more was used", () => {
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

it("rounds a month's item once", () => {
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
