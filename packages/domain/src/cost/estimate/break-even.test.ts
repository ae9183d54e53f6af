import { expect, it } from "vitest";
import { estimateFor, optionOf, pointOf, seedCatalogue } from "../testing/seeded.ts";
import { estimateRequest } from "./estimate.ts";
import { drawCosts } from "./estimate-costs.ts";

const aws = { providers: ["aws"], regions: ["us-east-1"] };

it("finds where machines become cheaper than a balancer billed by traffic", () => {
  const there = { provider: "aws" as const, region: "eu-central-1" };
  const prices = [
    pointOf({ ...there, sku: "nlb", micros: 22_500 }),
    pointOf({ ...there, sku: "nlb-lcu-tcp", unit: "capacity-unit-hour", micros: 6_000 }),
    pointOf({ ...there, sku: "public-ipv4", micros: 5_000 }),
    pointOf({ provider: "own", sku: "machine-large", micros: 50_000, confidence: "own" }),
  ];
  const machines = [{ sku: "machine-large", name: "large", cores: 8, mbps: 10_000 }];
  const filters = { providers: ["aws", "own"], regions: ["eu-central-1"], constraints: ["client-source-address"] };
  const [crossing, ...others] = estimateFor({ averageMbps: 10 }, filters, prices, machines).breakEven;
  // Two machines at 0.05 are an hour and an address at 0.0275, and 12.08 GB at 0.006.
  const gbPerHour = (2 * 0.05 - 0.0275) / 0.006;
  expect(crossing?.averageMbps).toBeCloseTo((gbPerHour * 8_000) / 3_600, 2);
  expect([crossing?.below.offerId, crossing?.above.offerId]).toEqual(["aws-nlb", "own-fairlead-large"]);
  expect(others).toEqual([]);
});

it("finds where a small machine reaches its capacity", () => {
  const handshakes = { newConnectionsPerSecond: 20, connectionDurationSeconds: 1 };
  const { breakEven } = estimateFor({ averageMbps: 1, protocol: "tcp", tls: "terminate", ...handshakes }, aws);
  const [first] = breakEven;
  // Three machines of a fifth of a core, at 550 handshakes a second a core. Crossings within a step below are skipped.
  expect([first?.below.offerId, first?.above.offerId]).toEqual(["aws-haproxy", "aws-nginx"]);
  expect(first?.averageMbps).toBeCloseTo((3 * 110) / 20, 2);
});

it("has the same cost on both sides", () => {
  const filters = {
    providers: ["oracle", "linode"],
    regions: ["na-eu-uk", "any"],
    constraints: ["static-ip" as const],
  };
  const profile = { averageMbps: 100, internetShare: 0 };
  const { breakEven } = estimateFor(profile, filters);
  for (const { averageMbps, below, above } of breakEven) {
    const estimate = estimateFor({ ...profile, averageMbps }, filters);
    const costs = [below, above].map(({ offerId, region }) => optionOf(estimate, offerId, region).monthlyMicros);
    expect(Math.abs((costs[0] ?? 0) - (costs[1] ?? 1))).toBeLessThan(1_000);
  }
});

it("names the cheapest option on either side of every crossing", () => {
  const profile = {
    averageMbps: 50,
    peakMbps: 120,
    newConnectionsPerSecond: 40,
    protocol: "http" as const,
    internetShare: 1,
  };
  const { breakEven } = estimateFor(profile);
  expect(breakEven.length).toBeGreaterThan(2);
  for (const { averageMbps, below, above } of breakEven)
    for (const [factor, expected] of [
      [0.999, below],
      [1.001, above],
    ] as const) {
      const scale = (averageMbps * factor) / profile.averageMbps;
      const scaled = {
        ...profile,
        averageMbps: averageMbps * factor,
        peakMbps: 120 * scale,
        newConnectionsPerSecond: 40 * scale,
      };
      const [cheapest] = estimateFor(scaled).options;
      const named = optionOf(estimateFor(scaled), expected.offerId, expected.region);
      // Other options may cost the same.
      expect(named.monthlyMicros).toBeLessThanOrEqual((cheapest?.monthlyMicros ?? 0) + 1);
    }
});

it("finds the same crossings for any traffic of the profile", () => {
  const filters = { providers: ["aws", "oracle"], regions: ["us-east-1", "na-eu-uk"], constraints: ["static-ip"] };
  // Self-hosted engines add more latency than that with TLS termination.
  const profile = { protocol: "http", tls: "terminate", addedMs: 1 } as const;
  const from = (averageMbps: number) =>
    estimateFor({ averageMbps, ...profile }, filters).breakEven.filter(
      (crossing) => crossing.averageMbps > 1_000 && crossing.averageMbps < 20_000,
    );
  // Oracle's balancer carries up to 8 Gbit/s, and is cheaper up to there.
  const [crossing] = from(1_000);
  expect(crossing?.below.offerId).toBe("oracle-flexible-lb");
  expect(crossing?.averageMbps).toBeCloseTo(8_000, -1);
  for (const averageMbps of [7_000, 9_000, 40_000]) {
    const others = from(averageMbps);
    expect(others.map(({ below, above }) => [below, above])).toEqual(
      from(1_000).map(({ below, above }) => [below, above]),
    );
    expect(others[0]?.averageMbps).toBeCloseTo(8_000, -1);
  }
});

it.each([
  [40_000, true],
  [1_000_000, false],
])("at %d Mbit/s, has a line for an option that carries 8 000 if that is on the chart: %s", (averageMbps, isThere) => {
  const profile = { averageMbps, protocol: "http", tls: "terminate" };
  const request = estimateRequest.parse({ profile, providers: ["oracle"], regions: ["na-eu-uk"] });
  const ids = drawCosts(request, seedCatalogue, 9).map(({ offerId }) => offerId);
  expect(ids).toEqual(isThere ? ["oracle-flexible-lb"] : []);
});

it("ends for the least amount of traffic that a number can express", () => {
  const request = estimateRequest.parse({ profile: { averageMbps: Number.MIN_VALUE }, regions: ["us-east-1"] });
  expect(request.profile.averageMbps).toBe(0);
  expect(drawCosts(request, seedCatalogue, 9)).toEqual(
    drawCosts(estimateRequest.parse({ profile: { averageMbps: 0 }, regions: ["us-east-1"] }), seedCatalogue, 9),
  );
});

it("leaves out options that lack something other than capacity", () => {
  const request = estimateRequest.parse({
    profile: { averageMbps: 100_000, protocol: "http", tls: "terminate", addedMs: 1 },
    ...aws,
    constraints: ["client-source-address"],
  });
  expect(drawCosts(request, seedCatalogue, 9).map(({ offerId }) => offerId)).toEqual(["aws-nlb"]);
});

it("has a line for each option that fits, up to its capacity", () => {
  const request = estimateRequest.parse({ profile: { averageMbps: 1_000 }, ...aws });
  const curves = drawCosts(request, seedCatalogue, 9);
  const balancer = curves.find(({ offerId }) => offerId === "aws-nlb");
  expect(balancer?.points).toHaveLength(9);
  expect(balancer?.points[4]?.averageMbps).toBeCloseTo(1_000);
  expect(balancer?.points[0]?.monthlyMicros).toBeLessThan(balancer?.points[4]?.monthlyMicros ?? 0);
});
