import { expect, it } from "vitest";
import { estimateFor, optionOf, pointOf } from "../testing/seeded.ts";
import type { TrafficProfileInput } from "../traffic/traffic-profile.ts";

// The prices of East US in Azure's own examples; those of the seed differ.
const price = (sku: string, micros: number) =>
  pointOf({ provider: "azure", region: "eastus", sku, micros, asOf: "2026-11-20" });
const examples = [price("appgw-standard", 246_000), price("appgw-waf", 443_000)];

it.each<[string, TrafficProfileInput, string, number]>([
  [
    "a little traffic, a month with a firewall",
    { averageMbps: 0.5, protocol: "http", activeConnections: 1 },
    "azure-appgw-waf",
    323.39 + 10.512,
  ],
  ["no traffic, a month with a firewall", { averageMbps: 0, protocol: "http" }, "azure-appgw-waf", 323.39],
  [
    "25 new TLS connections a second and 8.88 Mbit/s, a month with a firewall",
    { averageMbps: 8.88, newConnectionsPerSecond: 25, protocol: "http", tls: "terminate" },
    "azure-appgw-waf",
    323.39 + 42.048,
  ],
  [
    "88.8 Mbit/s are 40 capacity units, a month",
    { averageMbps: 88.8, protocol: "http" },
    "azure-appgw-standard",
    179.58 + 233.6,
  ],
  [
    "an hour of ten units",
    { averageMbps: 22.2, protocol: "http", hoursPerMonth: 1 },
    "azure-appgw-standard",
    0.246 + 0.08,
  ],
  [
    "an hour of twenty",
    { averageMbps: 44.4, protocol: "http", hoursPerMonth: 1 },
    "azure-appgw-standard",
    0.246 + 0.16,
  ],
])("%s", (_, profile, offerId, dollars) => {
  const option = optionOf(estimateFor(profile, { regions: ["eastus"] }, examples), offerId);
  expect(option.monthlyMicros).toBe(Math.round(dollars * 1e6));
});
