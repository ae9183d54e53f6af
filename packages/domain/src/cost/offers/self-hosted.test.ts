import { describe, expect, it } from "vitest";
import type { PricePoint } from "../prices/price-point.ts";
import { estimateFor, itemOf, optionOf, pointOf } from "../testing/seeded.ts";
import type { TrafficProfileInput } from "../traffic/traffic-profile.ts";

const aws = { providers: ["aws"], regions: ["us-east-1"] };

it("two small machines carry 25 Mbit/s, and cost less than the data of a Classic Load Balancer", () => {
  const estimate = estimateFor({ averageMbps: 25 }, aws);
  const machines = optionOf(estimate, "aws-haproxy");
  expect(itemOf(machines, "Machines").item).toBe("Machines t4g.micro");
  expect(machines.hourlyMicros).toBe(2 * 8_400 + 2 * 5_000);
  expect(itemOf(optionOf(estimate, "aws-clb"), "Data").hourlyMicros).toBe(90_000);
});

it.each([
  ["what the network carries for good, not at times", 500, "aws-fairlead"],
  ["what the engine carries on the cores", 500, "aws-nginx"],
])("the machines left when one is away carry the peak: %s", (_, peakMbps, offerId) => {
  const { capacity, fits } = optionOf(estimateFor({ averageMbps: 100, peakMbps }, aws), offerId);
  expect(fits).toBe(true);
  expect(capacity[0]?.most).toBeGreaterThanOrEqual(peakMbps);
});

it("takes fewer large machines where that costs less than many small ones", () => {
  const option = optionOf(estimateFor({ averageMbps: 5_000 }, aws), "aws-fairlead");
  expect(itemOf(option, "Machines").item).toBe("Machines c6gn.medium");
  expect(itemOf(option, "Machines").quantity).toBe(5);
});

it("TLS can't end at an engine that only sends packets on", () => {
  const { fits, reasons } = optionOf(estimateFor({ averageMbps: 1, tls: "terminate" }, aws), "aws-fairlead");
  expect(fits).toBe(false);
  expect(reasons[0]).toBe("TLS can't end at it.");
});

it("no engine evaluates rules for requests that it can't read", () => {
  const profile = { averageMbps: 1, protocol: "http" as const, tls: "passthrough" as const, rulesPerRequest: 3 };
  const { fits, reasons } = optionOf(estimateFor(profile, aws), "aws-haproxy");
  expect(fits).toBe(false);
  expect(reasons[0]).toBe("TLS passes through it, so it can't read requests for rules.");
});

it("what ends connections was measured over TCP alone, so of datagrams its figures are a guess, and no advice", () => {
  const profile = { averageMbps: 25, newConnectionsPerSecond: 10, tls: "terminate" } as const;
  const basesOf = (protocol: "tcp" | "quic") => {
    const estimate = estimateFor({ ...profile, protocol }, aws);
    const { capacity } = optionOf(estimate, "aws-nginx");
    return { advised: estimate.advice?.offerId, of: new Set(capacity.slice(1).map(({ basis }) => basis)) };
  };
  expect(basesOf("tcp")).toEqual({ advised: "aws-haproxy", of: new Set(["scaled"]) });
  expect(basesOf("quic").of).toEqual(new Set(["assumed"]));
  expect(basesOf("quic").advised).not.toBe("aws-nginx");
});

it("ending TLS takes more machines", () => {
  const count = (tls: "none" | "terminate") => {
    const profile = { averageMbps: 1, newConnectionsPerSecond: 2_000, connectionDurationSeconds: 1, tls };
    return optionOf(estimateFor(profile, aws), "aws-nginx").hourlyMicros;
  };
  expect(count("terminate")).toBeGreaterThan(2 * count("none"));
});

it("has one machine in each zone at least", () => {
  const option = optionOf(estimateFor({ averageMbps: 1, zones: 3 }, aws), "aws-haproxy");
  expect(itemOf(option, "Machines").quantity).toBe(3);
});

it("gives each replica an address of its own on the same machines", () => {
  const option = optionOf(estimateFor({ averageMbps: 1, replicas: 9, exposedAs: "per-replica" }, aws), "aws-fairlead");
  expect(itemOf(option, "Machines").quantity).toBe(2);
  expect(itemOf(option, "Public IPv4").quantity).toBe(9);
});

describe("an address of a machine at Hetzner", () => {
  const hetzner = { providers: ["hetzner"], regions: ["eu"] };
  const fed = (micros: number, fields: Partial<PricePoint> = {}) =>
    pointOf({
      ...{ provider: "hetzner", region: "eu", sku: "cx22", unit: "month", micros, asOf: "2026-11-20" },
      ...{ source: "https://api.hetzner.cloud/v1/pricing", confidence: "fed", ...fields },
    });
  const linesOf = (profile: Partial<TrafficProfileInput>, more: PricePoint[] = []) =>
    optionOf(estimateFor({ averageMbps: 1, ...profile }, hetzner, more), "hetzner-haproxy").breakdown.map(
      ({ item, quantity, unitPriceMicros }) => [item, Math.round(quantity * 730), unitPriceMicros],
    );

  it("is part of the price of its website, and each further one is paid", () => {
    expect(linesOf({})).toEqual([["Machines cx22", 2, 4_590_000]]);
    expect(linesOf({ replicas: 40, exposedAs: "per-replica" })).toEqual([
      ["Machines cx22", 2, 4_590_000],
      ["Public IPv4 addresses", 38, 600_000],
    ]);
  });

  it("is not part of the price that a feed reads", () => {
    expect(linesOf({}, [fed(3_500_000)])).toEqual([
      ["Machines cx22", 2, 3_500_000],
      ["Public IPv4 addresses", 2, 600_000],
    ]);
    expect(linesOf({ replicas: 40, exposedAs: "per-replica" }, [fed(3_500_000)])[1]).toEqual([
      "Public IPv4 addresses",
      40,
      600_000,
    ]);
  });

  it("counts when the size is chosen", () => {
    expect(linesOf({}, [fed(3_990_001)])).toEqual([["Machines cax11", 2, 4_590_000]]);
  });

  it("is paid where nobody says that an agreed price has it", () => {
    const agreed = { source: "the price book, from 2026-01-01 on", confidence: "own", asOf: null } as const;
    expect(linesOf({}, [fed(3_500_000, agreed)])[1]).toEqual(["Public IPv4 addresses", 2, 600_000]);
  });
});

it("one's own machines cost what the price book says, and are on one's premises", () => {
  const book = [
    pointOf({
      provider: "own",
      sku: "machine-small",
      unit: "month",
      micros: 80_000_000,
      confidence: "own",
      asOf: null,
    }),
  ];
  const machines = [{ sku: "machine-small", name: "small", cores: 4, mbps: 1_000 }];
  const estimate = estimateFor({ averageMbps: 300 }, { constraints: ["on-premises", "no-lock-in"] }, book, machines);
  const fitting = estimate.options.filter(({ fits }) => fits);
  expect(fitting.map(({ offerId, monthlyMicros }) => [offerId, monthlyMicros])).toEqual([
    ["own-fairlead-small", 160_000_000],
    ["own-haproxy-small", 160_000_000],
    ["own-nginx-small", 160_000_000],
  ]);
  expect(estimate.advice?.offerId).toBe("own-fairlead-small");
});

it("says so where nobody knows what the network of a machine carries", () => {
  const option = optionOf(estimateFor({ averageMbps: 1 }), "azure-haproxy");
  expect(option.reasons).toContain("No published limit of Mbit/s.");
});
