import { describe, expect, it } from "vitest";
import type { Constraint } from "../offers/constraint.ts";
import { estimateFor, optionOf, pointOf, seedPoints } from "../testing/seeded.ts";
import type { TrafficProfileInput } from "../traffic/traffic-profile.ts";

const aws = { providers: ["aws"], regions: ["us-east-1"] };

it.each<[string, TrafficProfileInput, Constraint[], string | null]>([
  ["25 Mbit/s: self-hosted; Fairlead is not the first of equal ones", { averageMbps: 25 }, [], "aws-haproxy"],
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
  ["new connections: a measured limit", { averageMbps: 25, newConnectionsPerSecond: 10 }, [], "aws-haproxy"],
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
  expect(estimateFor(profile, { ...aws, constraints }).advice.proven?.offerId ?? null).toBe(offerId);
});

it("never recommends an option that doesn't fit, or as proven one without enough known capacity", () => {
  for (const averageMbps of [1, 25, 400, 3_000, 40_000, 900_000])
    for (const newConnectionsPerSecond of [0, 50, 5_000, 2_000_000]) {
      const estimate = estimateFor(
        { averageMbps, newConnectionsPerSecond, protocol: "http" },
        { regions: ["us-east-1", "eastus"] },
      );
      const { proven, likely } = estimate.advice;
      if (likely)
        expect(optionOf(estimate, likely.offerId, likely.region)).toMatchObject({ fits: true, grade: "likely" });
      if (!proven) continue;
      const { fits, grade, capacity } = optionOf(estimate, proven.offerId, proven.region);
      expect({ fits, grade }).toEqual({ fits: true, grade: "proven" });
      expect(capacity.some(({ of }) => of === "mbps")).toBe(true);
      for (const { basis, required, limit } of capacity) {
        expect(basis).not.toBe("assumed");
        expect(required).toBeLessThanOrEqual(limit);
      }
    }
});

it("recommends the cheapest proven and the cheapest likely option, with up to five reasons each", () => {
  const profile = { averageMbps: 25, protocol: "http", rulesPerRequest: 12 } as const;
  const places = { providers: ["aws", "hetzner"], regions: ["us-east-1", "eu"] };
  const { advice } = estimateFor(profile, places);
  expect(advice.proven?.reasons).toEqual([
    "Costs the same as nginx on machines.",
    "Carries 64 Mbit/s (published); the peak needs 25.",
    "3 cheaper options are only likely or unknown.",
    "Works at layer 7, because rules evaluate requests.",
  ]);
  expect(advice.likely).toMatchObject({ offerId: "aws-clb", tiedWith: [] });
  expect(advice.likely?.reasons).toEqual([
    "The only likely option.",
    "Documented to scale with traffic.",
    "No published limit of Mbit/s.",
    "3 cheaper options are only unknown.",
    "Works at layer 7, because rules evaluate requests.",
  ]);
});

it("names a tie, in which Fairlead is never the first", () => {
  const { advice, options } = estimateFor({ averageMbps: 25 }, aws);
  expect(advice.proven).toMatchObject({
    offerId: "aws-haproxy",
    tiedWith: [
      { offerId: "aws-nginx", region: "us-east-1" },
      { offerId: "aws-fairlead", region: "us-east-1" },
    ],
  });
  expect(advice.proven?.reasons[0]).toBe("Costs the same as nginx on machines and Fairlead on machines.");
  expect(options.slice(0, 3).map(({ offerId }) => offerId)).toEqual(["aws-haproxy", "aws-nginx", "aws-fairlead"]);
});

it("names all regions of a tie, and not only the first by name", () => {
  const udp = estimateFor({ averageMbps: 25, protocol: "udp" }, { providers: ["oracle"] }).advice.likely;
  expect(udp).toMatchObject({
    ...{ offerId: "oracle-network-lb", region: "apac-japan-sa" },
    tiedWith: [{ offerId: "oracle-network-lb", region: "na-eu-uk" }],
  });
  expect(udp?.reasons[0]).toBe("The only likely option, in 2 regions at the same cost.");
  const copies = seedPoints
    .filter(({ provider, region }) => provider === "aws" && region === "us-east-1")
    .map((point) => ({ ...point, region: "us-west-2" }));
  const { advice } = estimateFor({ averageMbps: 25 }, { ...aws, regions: ["us-east-1", "us-west-2"] }, copies);
  expect(advice.proven?.reasons[0]).toBe(
    "Costs the same as nginx on machines and Fairlead on machines, and in 1 other region.",
  );
});

it("recommends a complete bill before an incomplete one that seems cheaper", () => {
  const machine = { region: "us-east-1", sku: "t4g.micro", unit: "hour", micros: 1 } as const;
  const estimate = estimateFor(
    { averageMbps: 1, zones: 2 },
    { regions: ["us-east-1", "eastus"], providers: ["aws", "azure"] },
    [
      pointOf({ provider: "azure", region: "eastus", sku: "Standard_B1s", micros: 1, confidence: "own" }),
      pointOf({ provider: "aws", ...machine, confidence: "own" }),
    ],
  );
  const positions = ["aws-nlb", "azure-haproxy"].map((id) =>
    estimate.options.findIndex(({ offerId }) => offerId === id),
  );
  expect(optionOf(estimate, "azure-haproxy")).toMatchObject({
    missing: [{ item: "Data between zones", reason: "Data between zones has no known price at Azure." }],
  });
  expect(optionOf(estimate, "azure-haproxy").monthlyMicros).toBeLessThan(optionOf(estimate, "aws-nlb").monthlyMicros);
  expect(positions[0]).toBeLessThan(positions[1] ?? 0);
});

it("notes that figures are scaled by cores", () => {
  const { advice, options } = estimateFor({ averageMbps: 25, newConnectionsPerSecond: 10 }, aws);
  expect(advice.proven?.reasons).toContain("Scaled by cores from a measurement on another machine: test it first.");
  // Only the added latency doesn't depend on the size of the machine.
  for (const { capacity } of options)
    for (const { of, basis } of capacity) expect(basis === "measured").toBe(of === "latency" && basis !== "assumed");
});

it("has no note about cores without scaled figures", () => {
  const { advice } = estimateFor({ averageMbps: 25, protocol: "http", rulesPerRequest: 5 }, aws);
  expect(advice.proven?.offerId).toBe("aws-haproxy");
  expect(advice.proven?.reasons.some((reason) => reason.startsWith("Scaled"))).toBe(false);
});

it("compares the added latency of an option with the limit, regardless of the number of machines", () => {
  const fast = estimateFor({ averageMbps: 25, addedMs: 5 }, aws);
  expect(fast.advice.proven?.reasons).toContain("Carries 64 Mbit/s (published); the peak needs 25.");
  expect(estimateFor({ averageMbps: 1, addedMs: 0.3 }, aws).advice.proven?.reasons).toContain(
    "Adds 0.22 ms (measured); 0.3 are allowed.",
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

it("prefers layer 4 among equals that are not Fairlead", () => {
  const free = (sku: string) => pointOf({ provider: "aws", region: "us-east-1", sku, micros: 0, confidence: "own" });
  const skus = ["alb", "alb-lcu", "nlb", "nlb-lcu-tcp", "clb", "clb-data", "public-ipv4"];
  const { options } = estimateFor({ averageMbps: 10, protocol: "http" }, aws, skus.map(free));
  const bought = options.filter(({ monthlyMicros, fits }) => fits && monthlyMicros === 0);
  expect(bought.map(({ offerId }) => offerId)).toEqual(["aws-nlb", "aws-alb", "aws-clb"]);
});
