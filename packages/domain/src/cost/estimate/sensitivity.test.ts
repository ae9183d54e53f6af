import { expect, it } from "vitest";
import { seedCatalogue } from "../testing/seeded.ts";
import { estimateRequest } from "./estimate.ts";
import { compareTraffic } from "./sensitivity.ts";

const requestFor = (profile: object) => estimateRequest.parse({ profile, providers: ["aws"], regions: ["us-east-1"] });
const of = (offerId: string, profile: object, times?: number) =>
  compareTraffic(requestFor(profile), seedCatalogue, times).find((each) => each.offerId === offerId);

it("twice the traffic costs twice as much for data, and the same for hours", () => {
  // 0.030 of an hour and an address, and 0.09 of data.
  expect(of("aws-clb", { averageMbps: 25 })?.rise).toBeCloseTo(0.09 / 0.12, 6);
});

it("machines with spare capacity cost the same", () => {
  expect(of("aws-fairlead", { averageMbps: 25 })).toEqual({
    offerId: "aws-fairlead",
    region: "us-east-1",
    monthlyMicros: 19_564_000,
    thenMonthlyMicros: 19_564_000,
    rise: 0,
    thenFits: true,
  });
});

it("reports when an option no longer carries the traffic", () => {
  const profile = {
    averageMbps: 1_000,
    protocol: "http",
    activeConnections: 30_000_000,
    newConnectionsPerSecond: 100_000,
  };
  expect(of("aws-alb", profile, 1)?.thenFits).toBe(true);
  expect(of("aws-alb", profile, 2)?.thenFits).toBe(false);
});
