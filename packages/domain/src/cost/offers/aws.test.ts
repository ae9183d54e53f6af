import { expect, it } from "vitest";
import { estimateFor, itemOf, optionOf } from "../testing/seeded.ts";
import type { TrafficProfileInput } from "../traffic/traffic-profile.ts";

const mbpsOfGbPerHour = 8_000 / 3_600;
const aws = (profile: TrafficProfileInput) => estimateFor(profile, { providers: ["aws"], regions: ["us-east-1"] });

// AWS bills the largest of the dimensions, times the price of a unit, plus the hour of the balancer.
it.each<[string, TrafficProfileInput, string, string, number]>([
  [
    "an NLB for TCP: 100 new connections that live 3 min, 1 GB in 3 hours 0.36 NLCU",
    { averageMbps: 0.36 * mbpsOfGbPerHour, newConnectionsPerSecond: 100, connectionDurationSeconds: 180 },
    "aws-nlb",
    "Capacity units",
    2_160,
  ],
  [
    "an NLB for UDP: 400 flows per second are a unit",
    { averageMbps: 0, newConnectionsPerSecond: 400, connectionDurationSeconds: 1, protocol: "udp" },
    "aws-nlb",
    "Capacity units",
    6_000,
  ],
  [
    "an NLB for TLS: 100 handshakes a second are two units",
    { averageMbps: 0, newConnectionsPerSecond: 100, connectionDurationSeconds: 1, tls: "terminate" },
    "aws-nlb",
    "Capacity units",
    12_000,
  ],
  [
    "an ALB: 1.08 GB/h outweighs 1 connection a second and 120 live ones",
    {
      averageMbps: 1.08 * mbpsOfGbPerHour,
      newConnectionsPerSecond: 1,
      connectionDurationSeconds: 120,
      protocol: "http",
    },
    "aws-alb",
    "Capacity units",
    8_640,
  ],
  [
    "an ALB: 250 requests a second through 60 rules, ten of which are free, are 12.5 units",
    { averageMbps: 1, newConnectionsPerSecond: 1, requestsPerSecond: 250, rulesPerRequest: 60, protocol: "http" },
    "aws-alb",
    "Capacity units",
    100_000,
  ],
  ["a CLB: 25 Mbit/s cost nine cents an hour", { averageMbps: 25 }, "aws-clb", "Data", 90_000],
  ["a GWLB: 1 GB/h is a unit", { averageMbps: mbpsOfGbPerHour }, "aws-gwlb", "Capacity units", 4_000],
  [
    "endpoints of a GWLB are also billed by the GB",
    { averageMbps: mbpsOfGbPerHour },
    "aws-gwlb",
    "Data through",
    3_500,
  ],
  [
    "an ALB has an address in each zone",
    { averageMbps: 0, zones: 3, protocol: "http" },
    "aws-alb",
    "Public IPv4",
    15_000,
  ],
  [
    "an ALB for one zone has two addresses, because it needs two zones",
    { averageMbps: 0, zones: 1, protocol: "http" },
    "aws-alb",
    "Public IPv4",
    10_000,
  ],
  ["an NLB may be in one zone", { averageMbps: 0, zones: 1 }, "aws-nlb", "Public IPv4", 5_000],
  [
    "an NLB pays for traffic between zones in both directions",
    { averageMbps: mbpsOfGbPerHour, zones: 2 },
    "aws-nlb",
    "Data between zones",
    10_000,
  ],
])("%s", (_, profile, offerId, item, hourlyMicros) => {
  expect(itemOf(optionOf(aws(profile), offerId), item).hourlyMicros).toBe(hourlyMicros);
});

it.each<[string, string, number]>([
  ["aws-alb", "Balancer hours", 16.425],
  ["aws-nlb", "Balancer hours", 16.425],
  ["aws-clb", "Balancer hours", 18.25],
])("%s: %s cost $%d a month", (offerId, item, month) => {
  const { hourlyMicros } = itemOf(optionOf(aws({ averageMbps: 0, protocol: "http" }), offerId), item);
  expect((hourlyMicros * 730) / 1e6).toBe(month);
});

it.each([
  ["aws-alb", 1, true],
  ["aws-alb", 2, false],
  ["aws-nlb", 1, false],
])("%s in %d zones has the note that it needs two: %s", (offerId, zones, isNoted) => {
  const { reasons } = optionOf(aws({ averageMbps: 1, zones, protocol: "http" }), offerId);
  expect(reasons.some((reason) => reason.startsWith("It needs at least two zones"))).toBe(isNoted);
});

it("limits requests of an ALB by the rules that its units evaluate, and not with few rules, which are free", () => {
  const profile = { averageMbps: 1, requestsPerSecond: 500_000, protocol: "http" } as const;
  const few = optionOf(aws({ ...profile, rulesPerRequest: 10 }), "aws-alb");
  expect(few.capacity.map(({ of }) => of)).toEqual(["mbps"]);
  expect(few.reasons).toContain("No published limit of requests a second.");
  const many = optionOf(aws({ ...profile, rulesPerRequest: 30 }), "aws-alb");
  expect(many.capacity).toContainEqual(
    expect.objectContaining({ of: "requests", limit: (15_000 * 1_000) / 20, basis: "published" }),
  );
  expect(many.fits).toBe(true);
  expect(optionOf(aws({ ...profile, rulesPerRequest: 50 }), "aws-alb").fits).toBe(false);
});

it("bills data to the internet by monthly tiers", () => {
  const gb = 60_000;
  const averageMbps = (gb / 730) * mbpsOfGbPerHour;
  const option = optionOf(aws({ averageMbps, responseShare: 1, internetShare: 1 }), "aws-nlb");
  const month = 10_240 * 0.09 + 40_960 * 0.085 + (gb - 51_200) * 0.07;
  expect(itemOf(option, "Data to the internet").hourlyMicros).toBe(Math.round((month * 1e6) / 730));
});

it("has a balancer for each replica, each with its share of the traffic", () => {
  const one = optionOf(aws({ averageMbps: 40, replicas: 4 }), "aws-nlb");
  const four = optionOf(aws({ averageMbps: 40, replicas: 4, exposedAs: "per-replica" }), "aws-nlb");
  expect(itemOf(four, "Balancer hours").hourlyMicros).toBe(4 * itemOf(one, "Balancer hours").hourlyMicros);
  expect(itemOf(four, "Capacity units").hourlyMicros).toBe(itemOf(one, "Capacity units").hourlyMicros);
});
