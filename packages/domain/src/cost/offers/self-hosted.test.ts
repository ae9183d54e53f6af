import { describe, expect, it } from "vitest";
import type { PricePoint } from "../prices/price-point.ts";
import { providerNames } from "../prices/providers.ts";
import { estimateFor, itemOf, optionOf, pointOf } from "../testing/seeded.ts";
import type { TrafficProfileInput } from "../traffic/traffic-profile.ts";
import { machineSkus } from "./machines.ts";
import { rentedOffers } from "./self-hosted.ts";

const aws = { providers: ["aws"], regions: ["us-east-1"] };

it.each(providerNames)("offers engines on machines of %s if their sizes are known", (name) => {
  const isOffered = rentedOffers.some(({ provider }) => provider === name);
  expect(isOffered).toBe(machineSkus(name).length > 0);
});

it("two small machines carry 25 Mbit/s for less than the data of a Classic Load Balancer", () => {
  const estimate = estimateFor({ averageMbps: 25 }, aws);
  const machines = optionOf(estimate, "aws-haproxy");
  expect(itemOf(machines, "Machines").item).toBe("Machines t4g.micro");
  expect(machines.hourlyMicros).toBe(2 * 8_400 + 2 * 5_000);
  expect(itemOf(optionOf(estimate, "aws-clb"), "Data").hourlyMicros).toBe(90_000);
});

it.each([
  ["by the sustained network throughput", 500, "aws-fairlead"],
  ["by the capacity of the engine on the cores", 500, "aws-nginx"],
])("the remaining machines carry the peak if one fails: %s", (_, peakMbps, offerId) => {
  const { capacity, fits } = optionOf(estimateFor({ averageMbps: 100, peakMbps }, aws), offerId);
  expect(fits).toBe(true);
  expect(capacity[0]?.limit).toBeGreaterThanOrEqual(peakMbps);
});

it("uses fewer large machines if they cost less than many small ones", () => {
  const option = optionOf(estimateFor({ averageMbps: 5_000 }, aws), "aws-fairlead");
  expect(itemOf(option, "Machines").item).toBe("Machines c6gn.medium");
  expect(itemOf(option, "Machines").quantity).toBe(5);
});

it("an engine that only forwards packets can't terminate TLS", () => {
  const { fits, reasons } = optionOf(estimateFor({ averageMbps: 1, tls: "terminate" }, aws), "aws-fairlead");
  expect(fits).toBe(false);
  expect(reasons[0]).toBe("It can't terminate TLS.");
});

it("no engine can evaluate rules for encrypted requests", () => {
  const profile = { averageMbps: 1, protocol: "http" as const, tls: "passthrough" as const, rulesPerRequest: 3 };
  const { fits, reasons } = optionOf(estimateFor(profile, aws), "aws-haproxy");
  expect(fits).toBe(false);
  expect(reasons[0]).toBe("TLS passes through it, so it can't read requests for rules.");
});

it("proxies were only measured with TCP, so their figures for datagrams are assumed, and not advised", () => {
  const profile = { averageMbps: 25, newConnectionsPerSecond: 10, tls: "terminate" } as const;
  const basesOf = (protocol: "tcp" | "quic") => {
    const estimate = estimateFor({ ...profile, protocol }, aws);
    const { capacity } = optionOf(estimate, "aws-nginx");
    return { advised: estimate.advice.proven?.offerId, of: new Set(capacity.slice(1).map(({ basis }) => basis)) };
  };
  expect(basesOf("tcp")).toEqual({ advised: "aws-haproxy", of: new Set(["scaled"]) });
  expect(basesOf("quic").of).toEqual(new Set(["assumed"]));
  expect(basesOf("quic").advised).not.toBe("aws-nginx");
});

it("TLS termination takes more machines", () => {
  const count = (tls: "none" | "terminate") => {
    const profile = { averageMbps: 1, newConnectionsPerSecond: 2_000, connectionDurationSeconds: 1, tls };
    return optionOf(estimateFor(profile, aws), "aws-nginx").hourlyMicros;
  };
  expect(count("terminate")).toBeGreaterThan(2 * count("none"));
});

it("has at least one machine in each zone", () => {
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

  it("is included in the prices of the website, and each further one is billed", () => {
    expect(linesOf({})).toEqual([["Machines cx22", 2, 4_590_000]]);
    expect(linesOf({ replicas: 40, exposedAs: "per-replica" })).toEqual([
      ["Machines cx22", 2, 4_590_000],
      ["Public IPv4 addresses", 38, 600_000],
    ]);
  });

  it("is not included in the prices of the feed", () => {
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

  it("is considered when the size is chosen", () => {
    expect(linesOf({}, [fed(3_990_001)])).toEqual([["Machines cax11", 2, 4_590_000]]);
  });

  it("is billed with a negotiated price, which doesn't include it", () => {
    const agreed = { source: "the price book, from 2026-01-01 on", confidence: "own", asOf: null } as const;
    expect(linesOf({}, [fed(3_500_000, agreed)])[1]).toEqual(["Public IPv4 addresses", 2, 600_000]);
  });
});

it("own machines have the cost of the price book, and are on premises", () => {
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
    ["own-haproxy-small", 160_000_000],
    ["own-nginx-small", 160_000_000],
    ["own-fairlead-small", 160_000_000],
  ]);
  expect(estimate.advice.proven?.offerId).toBe("own-haproxy-small");
});

it("has a note if the network throughput of a machine is unknown", () => {
  const option = optionOf(estimateFor({ averageMbps: 1 }), "azure-haproxy");
  expect(option.reasons).toContain("No published limit of Mbit/s.");
});
