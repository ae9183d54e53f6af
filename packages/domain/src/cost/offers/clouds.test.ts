import { expect, it } from "vitest";
import { estimateFor, itemOf, optionOf, pointOf } from "../testing/seeded.ts";
import type { TrafficProfileInput } from "../traffic/traffic-profile.ts";

const mbpsOfGbPerHour = 8_000 / 3_600;
const gibPerHour = (2 ** 30 / 1e9) * mbpsOfGbPerHour;

it.each<[string, TrafficProfileInput, string, string, number]>([
  [
    "three rules at Google cost as much as five",
    { averageMbps: 0, listeners: 3 },
    "gcp-passthrough-nlb",
    "Forwarding rules, up",
    25_000,
  ],
  [
    "seven rules at Google cost two more",
    { averageMbps: 0, listeners: 7 },
    "gcp-alb",
    "Forwarding rules beyond",
    20_000,
  ],
  [
    "the rules of three balancers are counted for one project",
    { averageMbps: 0, listeners: 2, replicas: 3, exposedAs: "per-replica" },
    "gcp-passthrough-nlb",
    "Forwarding rules beyond",
    10_000,
  ],
  [
    "Google bills data in",
    { averageMbps: 10 * gibPerHour, responseShare: 0.9 },
    "gcp-passthrough-nlb",
    "Data in",
    8_000,
  ],
  [
    "Google bills data out",
    { averageMbps: 10 * gibPerHour, responseShare: 0.9 },
    "gcp-passthrough-nlb",
    "Data out",
    72_000,
  ],
  ["Azure includes five rules", { averageMbps: 0, listeners: 5 }, "azure-lb-standard", "Balancer with", 25_000],
  [
    "Azure bills further rules one by one",
    { averageMbps: 0, listeners: 8 },
    "azure-lb-standard",
    "Rules beyond",
    30_000,
  ],
  [
    "each of Azure's balancers includes five rules",
    { averageMbps: 0, listeners: 6, replicas: 3, exposedAs: "per-replica" },
    "azure-lb-standard",
    "Rules beyond",
    30_000,
  ],
  ["Azure bills data", { averageMbps: 100 * mbpsOfGbPerHour }, "azure-lb-standard", "Data", 500_000],
  [
    "two capacity units of an Application Gateway",
    { averageMbps: 4.44, protocol: "http" },
    "azure-appgw-standard",
    "Capacity units",
    16_000,
  ],
  [
    "twenty units of one with a firewall: live connections decide",
    { averageMbps: 1, protocol: "http", newConnectionsPerSecond: 1, requestsPerSecond: 1, activeConnections: 50_000 },
    "azure-appgw-waf",
    "Capacity units",
    288_000,
  ],
  ["Oracle's first balancer is free", { averageMbps: 10 }, "oracle-flexible-lb", "Balancer hours", 0],
  ["Oracle's first 10 Mbit/s are free", { averageMbps: 10 }, "oracle-flexible-lb", "Bandwidth", 0],
  [
    "100 Mbit/s are billed beyond the free ones",
    { averageMbps: 100 },
    "oracle-flexible-lb",
    "Bandwidth",
    Math.round(((73_000 - 7_440) * 100) / 730),
  ],
  [
    "three balancers share the free hours",
    { averageMbps: 0, replicas: 3, exposedAs: "per-replica" },
    "oracle-flexible-lb",
    "Balancer hours",
    Math.round(((3 * 730 - 744) * 11_300) / 730),
  ],
  ["Oracle's network balancer has a price of zero", { averageMbps: 100 }, "oracle-network-lb", "Balancer hours", 0],
  [
    "a node for each 10 000 requests",
    { averageMbps: 1, protocol: "http", requestsPerSecond: 25_000 },
    "digitalocean-regional-lb",
    "Nodes",
    Math.round(36e6 / 730),
  ],
  [
    "a node for each 250 handshakes",
    { averageMbps: 1, newConnectionsPerSecond: 500, connectionDurationSeconds: 1, tls: "terminate" },
    "digitalocean-regional-lb",
    "Nodes",
    Math.round(24e6 / 730),
  ],
  [
    "Hetzner's first 20 TB are included",
    { averageMbps: 20, internetShare: 1 },
    "hetzner-lb11",
    "Data to the internet",
    0,
  ],
  [
    "50 million requests at bunny are included",
    { averageMbps: 1, protocol: "http", requestsPerSecond: 10 },
    "bunny-lb",
    "Requests",
    0,
  ],
  [
    "further requests at bunny cost 0.65 per million",
    { averageMbps: 1, protocol: "http", requestsPerSecond: 100 },
    "bunny-lb",
    "Requests",
    Math.round(((262.8 - 50) * 650_000) / 730),
  ],
  [
    "a NodeBalancer is billed per month",
    { averageMbps: 1 },
    "linode-nodebalancer",
    "Balancers",
    Math.round(10e6 / 730),
  ],
  ["an hour at Alibaba", { averageMbps: 1 }, "alibaba-slb", "Balancer hours", 7_000],
])("%s", (_, profile, offerId, item, hourlyMicros) => {
  expect(itemOf(optionOf(estimateFor(profile), offerId), item).hourlyMicros).toBe(hourlyMicros);
});

it("a monthly price is a cap, regardless of the length of the month", () => {
  const month = (hoursPerMonth: number) =>
    optionOf(estimateFor({ averageMbps: 1, hoursPerMonth }, { currency: "EUR" }), "hetzner-lb11").monthlyMicros;
  expect([365, 730, 744].map(month)).toEqual([2_695_000, 5_390_000, 5_390_000]);
});

it("Hetzner bills per hour, up to the monthly price", () => {
  const hour = pointOf({ provider: "hetzner", region: "eu", sku: "lb11-hour", micros: 8_800, currency: "EUR" });
  const month = (hoursPerMonth: number) =>
    optionOf(estimateFor({ averageMbps: 1, hoursPerMonth }, { currency: "EUR" }, [hour]), "hetzner-lb11").monthlyMicros;
  expect([10, 10.5, 612, 613, 744].map(month)).toEqual([88_000, 96_800, 5_385_600, 5_390_000, 5_390_000]);
});

it("prices in euros stay in euros", () => {
  const option = optionOf(estimateFor({ averageMbps: 1 }, { currency: "EUR" }), "scaleway-lb-s");
  expect(option.breakdown.map(({ hourlyMicros }) => hourlyMicros)).toEqual([14_000, 4_000]);
  expect(estimateFor({ averageMbps: 1 }).unpriced).toContainEqual(
    expect.objectContaining({
      offerId: "scaleway-lb-s",
      reason: "Its prices are in EUR: add a rate from EUR to USD.",
    }),
  );
});

it("OVHcloud is listed without a price", () => {
  expect(estimateFor({ averageMbps: 1 }).unpriced.find(({ offerId }) => offerId === "ovh-lb")?.reason).toBe(
    "There is no price of lb-s in any.",
  );
});

it.each<[string, number, number | null]>([
  ["hetzner-lb11", 5, null],
  ["hetzner-lb11", 6, 5],
  ["aws-nlb", 50, null],
  ["aws-nlb", 51, 50],
  // AWS grants more of them on request.
  ["aws-alb", 51, null],
])("%s with %d listeners is rejected if that exceeds its limit", (offerId, listeners, most) => {
  const { fits, reasons } = optionOf(estimateFor({ averageMbps: 1, protocol: "http", listeners }), offerId);
  expect(fits).toBe(most === null);
  const why = "It listens on";
  expect(reasons.filter((reason) => reason.startsWith(why))).toEqual(
    most === null ? [] : [`${why} ${most} ports at most, not on the ${listeners} requested.`],
  );
});

it.each([
  [50, false],
  [51, true],
])("an ALB with %d listeners has the note that its quota must be raised: %s", (listeners, isNoted) => {
  const { reasons } = optionOf(estimateFor({ averageMbps: 1, protocol: "http", listeners }), "aws-alb");
  expect(reasons.includes("More than 50 listeners need a higher quota, which AWS grants on request.")).toBe(isNoted);
});

it.each<[string, TrafficProfileInput, string | null]>([
  ["200 nodes carry", { averageMbps: 1, protocol: "http", requestsPerSecond: 2_000_000 }, null],
  [
    "more requests than 200 nodes carry",
    { averageMbps: 1, protocol: "http", requestsPerSecond: 2_500_000 },
    "Its capacity is 2,000,000 requests a second (published); the peak needs 2,500,000.",
  ],
  [
    "more live connections than 200 nodes carry",
    { averageMbps: 1, activeConnections: 3_000_000 },
    "Its capacity is 2,000,000 live connections (published); the peak needs 3,000,000.",
  ],
  [
    "more handshakes than 200 nodes carry",
    { averageMbps: 1, newConnectionsPerSecond: 60_000, connectionDurationSeconds: 1, tls: "terminate" },
    "Its capacity is 50,000 new connections a second (published); the peak needs 60,000.",
  ],
  [
    "as many in each of two balancers",
    { averageMbps: 1, protocol: "http", requestsPerSecond: 4_000_000, replicas: 2, exposedAs: "per-replica" },
    null,
  ],
])("DigitalOcean has 200 nodes at most: %s", (_, profile, why) => {
  const option = optionOf(estimateFor(profile), "digitalocean-regional-lb");
  const balancers = profile.exposedAs === "per-replica" ? 2 : 1;
  expect(itemOf(option, "Nodes").hourlyMicros).toBe(Math.round((balancers * 200 * 12e6) / 730));
  expect(option.fits).toBe(why === null);
  expect(option.reasons[0]).toBe(why ?? "It supports this traffic, but nothing shows that its capacity is enough.");
});

it("a size that carries less than the peak does not fit", () => {
  const { fits, reasons } = optionOf(
    estimateFor({ averageMbps: 100, peakMbps: 300 }, { currency: "EUR" }),
    "scaleway-lb-s",
  );
  expect(fits).toBe(false);
  expect(reasons[0]).toBe("Its capacity is 200 Mbit/s (published); the peak needs 300.");
});
