import { describe, expect, it } from "vitest";
import type { Constraint } from "../offers/constraint.ts";
import { estimateFor, optionOf, pointOf } from "../testing/seeded.ts";
import type { TrafficProfileInput } from "../traffic/traffic-profile.ts";

const aws = { providers: ["aws"], regions: ["us-east-1"] };

it.each<[string, TrafficProfileInput, Constraint[], string | null]>([
  ["25 Mbit/s: self-hosted, at layer 4", { averageMbps: 25 }, [], "aws-fairlead"],
  ["rules: an engine at layer 7", { averageMbps: 25, protocol: "http", rulesPerRequest: 5 }, [], "aws-haproxy"],
  [
    "TLS termination: an engine measured with enough handshakes",
    { averageMbps: 25, newConnectionsPerSecond: 10, protocol: "http", tls: "terminate" },
    [],
    "aws-haproxy",
  ],
  [
    "TLS termination and live connections: an engine measured to hold them",
    { averageMbps: 25, newConnectionsPerSecond: 10, connectionDurationSeconds: 60, protocol: "http", tls: "terminate" },
    [],
    "aws-haproxy",
  ],
  [
    "many live connections: a published limit, not an assumed one",
    { averageMbps: 3_000, activeConnections: 8_000_000 },
    [],
    "aws-fairlead",
  ],
  ["new connections: a measured limit", { averageMbps: 25, newConnectionsPerSecond: 10 }, [], "aws-fairlead"],
  ["low added latency: an engine measured to add less", { averageMbps: 25, addedMs: 1 }, [], "aws-fairlead"],
  [
    "rules and low added latency: engines at layer 7 add more, or aren't measured",
    { averageMbps: 25, protocol: "http", rulesPerRequest: 5, addedMs: 1 },
    [],
    null,
  ],
  ["the client's address: an engine that keeps it", { averageMbps: 25 }, ["client-source-address"], "aws-fairlead"],
  [
    "rules and the client's address: no option does both",
    { averageMbps: 25, protocol: "http", rulesPerRequest: 5 },
    ["client-source-address"],
    null,
  ],
  ["no traffic: no advice", { averageMbps: 0 }, [], null],
  ["on premises, without own machines: no advice", { averageMbps: 25 }, ["on-premises"], null],
])("%s", (_, profile, constraints, offerId) => {
  expect(estimateFor(profile, { ...aws, constraints }).advice?.offerId ?? null).toBe(offerId);
});

it("never advises an option that doesn't fit, or isn't known to carry the traffic", () => {
  for (const averageMbps of [1, 25, 400, 3_000, 40_000, 900_000])
    for (const newConnectionsPerSecond of [0, 50, 5_000, 2_000_000]) {
      const estimate = estimateFor(
        { averageMbps, newConnectionsPerSecond, protocol: "http" },
        { regions: ["us-east-1", "eastus"] },
      );
      if (!estimate.advice) continue;
      const { fits, capacity } = optionOf(estimate, estimate.advice.offerId, estimate.advice.region);
      expect(fits).toBe(true);
      expect(capacity.some(({ of }) => of === "mbps")).toBe(true);
      for (const { basis, required, limit } of capacity) {
        expect(basis).not.toBe("assumed");
        expect(required).toBeLessThanOrEqual(limit);
      }
    }
});

it("explains the choice, names cheaper options, and reports the age of prices", () => {
  const profile = { averageMbps: 25, protocol: "http", rulesPerRequest: 12 } as const;
  const { advice } = estimateFor(profile, { providers: ["aws", "hetzner"], regions: ["us-east-1", "eu"] });
  expect(advice?.reasons).toEqual([
    expect.stringMatching(
      /^Of \d that fit and are known to carry this, HAProxy on machines \(AWS, us-east-1\) is the cheapest, before /,
    ),
    expect.stringContaining("It carries up to 64 Mbit/s; 25 are requested (published: https://docs.aws.amazon.com/"),
    "It works at layer 7, because rules evaluate requests.",
    expect.stringMatching(/^Cheaper, but not known to carry this: .*on machines \(Hetzner, eu\)/),
    "The price of t4g.micro is of 2026-07-20.",
    "The price of public-ipv4 is of 2026-03-15.",
  ]);
});

it("has the measured figures, and notes that they are scaled by cores", () => {
  const { advice, options } = estimateFor({ averageMbps: 25, newConnectionsPerSecond: 10 }, aws);
  expect(advice?.reasons).toContainEqual(
    expect.stringMatching(
      /^It carries up to [\d\u00a0]+ new connections a second; 10 are requested \(measured on another machine, by cores: npm run bench -- datapath: /,
    ),
  );
  expect(advice?.reasons.filter((reason) => reason.startsWith("Not measured on this machine"))).toHaveLength(1);
  // Only the added latency doesn't depend on the size of the machine.
  for (const { capacity } of options)
    for (const { of, basis } of capacity) expect(basis === "measured").toBe(of === "latency" && basis !== "assumed");
});

it("has no note about cores without scaled figures", () => {
  const { advice } = estimateFor({ averageMbps: 25, protocol: "http", rulesPerRequest: 5 }, aws);
  expect(advice?.offerId).toBe("aws-haproxy");
  expect(advice?.reasons.some((reason) => reason.includes("on this machine"))).toBe(false);
});

it("compares the added latency of an option with the limit, regardless of the number of machines", () => {
  const fast = estimateFor({ averageMbps: 25, addedMs: 5 }, aws);
  expect(fast.advice?.reasons).toContainEqual(
    expect.stringMatching(/^It adds 0\.22 ms; 5 are allowed \(measured: npm run/),
  );
  const http = { averageMbps: 25, protocol: "http" } as const;
  for (const averageMbps of [25, 5_000]) {
    const slow = optionOf(estimateFor({ ...http, averageMbps, addedMs: 1 }, aws), "aws-haproxy");
    expect(slow).toMatchObject({ fits: false });
    expect(slow.reasons).toContain("It adds 1.8 ms (measured); the limit is 1 ms.");
  }
  const unknown = optionOf(estimateFor({ ...http, addedMs: 1 }, aws), "aws-alb");
  expect(unknown.reasons).toContain("No published latency.");
});

describe("each constraint excludes options, with a reason", () => {
  it.each<[Constraint, string, string]>([
    ["client-source-address", "aws-clb", "It lacks the client's source address: backends see the balancer's address"],
    ["per-replica-addresses", "aws-nlb", "It lacks an address for each replica: "],
    ["static-ip", "aws-clb", "It lacks a static address: its addresses change as it grows."],
    ["no-lock-in", "aws-nlb", "It lacks portability: only AWS offers it."],
    ["on-premises", "aws-haproxy", "It lacks operation on premises: these machines are in a provider's data centre."],
  ])("%s", (constraint, offerId, reason) => {
    const option = optionOf(estimateFor({ averageMbps: 1 }, { ...aws, constraints: [constraint] }), offerId);
    expect(option.fits).toBe(false);
    expect(option.reasons[0]?.startsWith(reason)).toBe(true);
  });

  it("a balancer for each replica has an address for each", () => {
    const profile = { averageMbps: 1, replicas: 3, exposedAs: "per-replica" as const };
    const constraints = ["per-replica-addresses"];
    expect(optionOf(estimateFor(profile, { ...aws, constraints }), "aws-nlb").fits).toBe(true);
  });
});

it("prefers layer 4 among equals", () => {
  const book = [pointOf({ provider: "own", sku: "machine-large", confidence: "own" })];
  const machines = [{ sku: "machine-large", name: "large", cores: 8, mbps: 10_000 }];
  const estimate = estimateFor({ averageMbps: 10 }, { providers: ["own"] }, book, machines);
  expect(new Set(estimate.options.map(({ monthlyMicros }) => monthlyMicros)).size).toBe(1);
  expect(estimate.advice?.offerId).toBe("own-fairlead-large");
});
