import { expect, it } from "vitest";
import { estimateFor, optionOf } from "../testing/seeded.ts";
import type { TrafficProfileInput } from "../traffic/traffic-profile.ts";
import type { Grade } from "./grade.ts";

const http = { averageMbps: 8, newConnectionsPerSecond: 15, protocol: "http" } as const;

it.each<[string, string, TrafficProfileInput, Grade | null]>([
  ["a published capacity is proof", "aws-nlb", { averageMbps: 25, newConnectionsPerSecond: 10 }, "proven"],
  ["a measurement scaled by cores is proof, with a note", "aws-haproxy", http, "proven"],
  ["scaling with traffic without a figure is likely", "gcp-alb", http, "likely"],
  ["one figure is missing: likely, if it scales with traffic", "aws-alb", http, "likely"],
  ["one figure is missing: unknown, if its size is fixed", "hetzner-lb11", http, "unknown"],
  ["an assumed figure is no proof", "hetzner-haproxy", http, "unknown"],
  ["an assumed figure, but it scales with traffic", "aws-nlb", { averageMbps: 25, activeConnections: 1_000 }, "likely"],
  ["scaling with traffic says nothing about latency", "gcp-alb", { ...http, addedMs: 5 }, "unknown"],
  [
    "a default limit of connections that is enough",
    "oracle-network-lb",
    { averageMbps: 1, activeConnections: 300_000 },
    "likely",
  ],
  [
    "a default limit of connections that is exceeded",
    "oracle-network-lb",
    { averageMbps: 1, activeConnections: 400_000 },
    null,
  ],
  ["what does not fit has no grade", "aws-fairlead", { ...http, tls: "terminate" }, null],
])("%s: %s", (_, offerId, profile, grade) => {
  const option = optionOf(estimateFor(profile), offerId);
  expect(option.grade).toBe(grade);
  expect(option.fits).toBe(grade !== null);
});

it("no option has more than five reasons, and none that is unknown claims to carry the traffic", () => {
  for (const averageMbps of [1, 400, 40_000])
    for (const option of estimateFor({ ...http, averageMbps, rulesPerRequest: 20, zones: 3, internetShare: 0.5 })
      .options) {
      expect(option.reasons.length).toBeLessThanOrEqual(5);
      if (option.grade === "unknown") expect(option.reasons[0]).toMatch(/nothing shows that its capacity is enough/);
    }
});
