import { describe, expect, it } from "vitest";
import type { Constraint } from "../offers/constraint.ts";
import { estimateFor, optionOf, pointOf } from "../testing/seeded.ts";
import type { TrafficProfileInput } from "../traffic/traffic-profile.ts";

const aws = { providers: ["aws"], regions: ["us-east-1"] };

it.each<[string, TrafficProfileInput, Constraint[], string | null]>([
  ["25 Mbit/s: machines of one's own, at layer 4", { averageMbps: 25 }, [], "aws-fairlead"],
  ["rules: what reads requests", { averageMbps: 25, protocol: "http", rulesPerRequest: 5 }, [], "aws-haproxy"],
  [
    "TLS that ends: what was measured to do so many handshakes",
    { averageMbps: 25, newConnectionsPerSecond: 10, protocol: "http", tls: "terminate" },
    [],
    "aws-haproxy",
  ],
  [
    "TLS that ends, and connections that live: what was measured to hold them",
    { averageMbps: 25, newConnectionsPerSecond: 10, connectionDurationSeconds: 60, protocol: "http", tls: "terminate" },
    [],
    "aws-haproxy",
  ],
  [
    "many live connections: what is published, and no assumption",
    { averageMbps: 3_000, activeConnections: 8_000_000 },
    [],
    "aws-fairlead",
  ],
  ["new connections: what was measured", { averageMbps: 25, newConnectionsPerSecond: 10 }, [], "aws-fairlead"],
  ["little time added: what was measured to add less", { averageMbps: 25, addedMs: 1 }, [], "aws-fairlead"],
  [
    "rules and little time added: what reads requests adds more, or nobody says",
    { averageMbps: 25, protocol: "http", rulesPerRequest: 5, addedMs: 1 },
    [],
    null,
  ],
  ["the client's address", { averageMbps: 25 }, ["client-source-address"], "aws-fairlead"],
  [
    "rules and the client's address: nothing does both",
    { averageMbps: 25, protocol: "http", rulesPerRequest: 5 },
    ["client-source-address"],
    null,
  ],
  ["nothing to carry: nothing is known to be enough", { averageMbps: 0 }, [], null],
  ["on one's premises, without machines there", { averageMbps: 25 }, ["on-premises"], null],
])("%s", (_, profile, constraints, offerId) => {
  expect(estimateFor(profile, { ...aws, constraints }).advice?.offerId ?? null).toBe(offerId);
});

it("never advises what does not fit, or is not known to carry what is asked for", () => {
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
      for (const { basis, asked, most } of capacity) {
        expect(basis).not.toBe("assumed");
        expect(asked).toBeLessThanOrEqual(most);
      }
    }
});

it("says what would be cheaper, why this is taken, and how old its prices are", () => {
  const profile = { averageMbps: 25, protocol: "http", rulesPerRequest: 12 } as const;
  const { advice } = estimateFor(profile, { providers: ["aws", "hetzner"], regions: ["us-east-1", "eu"] });
  expect(advice?.reasons).toEqual([
    expect.stringMatching(
      /^Of \d that fit and are known to carry this, HAProxy on machines \(AWS, us-east-1\) is the cheapest, before /,
    ),
    expect.stringContaining("It carries 64 Mbit/s, of 25 asked for (published: https://docs.aws.amazon.com/"),
    "It works at layer 7, because rules need requests to be read.",
    expect.stringMatching(/^Cheaper, but not known to carry this: .*on machines \(Hetzner, eu\)/),
    "The price of t4g.micro is of 2026-07-20.",
    "The price of public-ipv4 is of 2026-03-15.",
  ]);
});

it("gives the figures that were measured here, and says that they are reckoned by cores", () => {
  const { advice, options } = estimateFor({ averageMbps: 25, newConnectionsPerSecond: 10 }, aws);
  expect(advice?.reasons).toContainEqual(
    expect.stringMatching(
      /^It carries [\d\u00a0]+ new connections a second, of 10 asked for \(measured on another machine, by cores: npm run bench -- datapath: /,
    ),
  );
  expect(advice?.reasons.filter((reason) => reason.startsWith("Not measured on this machine"))).toHaveLength(1);
  // Only the time that is added has nothing to do with how large the machine is.
  for (const { capacity } of options)
    for (const { of, basis } of capacity) expect(basis === "measured").toBe(of === "latency" && basis !== "assumed");
});

it("says nothing of cores where none was reckoned with", () => {
  const { advice } = estimateFor({ averageMbps: 25, protocol: "http", rulesPerRequest: 5 }, aws);
  expect(advice?.offerId).toBe("aws-haproxy");
  expect(advice?.reasons.some((reason) => reason.includes("on this machine"))).toBe(false);
});

it("holds the time that an option adds against the time it may, whatever the number of machines", () => {
  const fast = estimateFor({ averageMbps: 25, addedMs: 5 }, aws);
  expect(fast.advice?.reasons).toContainEqual(
    expect.stringMatching(/^It adds 0\.22 ms, of 5 that it may \(measured: npm run/),
  );
  const http = { averageMbps: 25, protocol: "http" } as const;
  for (const averageMbps of [25, 5_000]) {
    const slow = optionOf(estimateFor({ ...http, averageMbps, addedMs: 1 }, aws), "aws-haproxy");
    expect(slow).toMatchObject({ fits: false });
    expect(slow.reasons).toContain("It adds 1.8 ms (measured), more than the 1 it may.");
  }
  const unknown = optionOf(estimateFor({ ...http, addedMs: 1 }, aws), "aws-alb");
  expect(unknown.reasons).toContain("No published latency.");
});

describe("each constraint filters, with a reason", () => {
  it.each<[Constraint, string, string]>([
    ["client-source-address", "aws-clb", "It lacks the client's source address: backends see its own address"],
    ["per-replica-addresses", "aws-nlb", "It lacks an address for each replica: "],
    ["static-ip", "aws-clb", "It lacks an address that stays: its addresses change as it grows."],
    ["no-lock-in", "aws-nlb", "It lacks a way elsewhere: nobody but AWS has it."],
    ["on-premises", "aws-haproxy", "It lacks a place of one's own to run: these machines stand in a provider's halls."],
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

it("of equals, takes the one at layer 4", () => {
  const book = [pointOf({ provider: "own", sku: "machine-large", confidence: "own" })];
  const machines = [{ sku: "machine-large", name: "large", cores: 8, mbps: 10_000 }];
  const estimate = estimateFor({ averageMbps: 10 }, { providers: ["own"] }, book, machines);
  expect(new Set(estimate.options.map(({ monthlyMicros }) => monthlyMicros)).size).toBe(1);
  expect(estimate.advice?.offerId).toBe("own-fairlead-large");
});
