import { expect, it } from "vitest";
import type { Strategy } from "../strategy.ts";
import { profileUsage } from "./profile-usage.ts";
import { runsAs } from "./runs-as.ts";

const ecmp: Strategy = { type: "ecmp", replicas: 2, poolId: "pool_1" };
const hour = 3_600;
const used = {
  seconds: 10 * hour,
  existsSeconds: 10 * hour,
  coveredSeconds: 10 * hour,
  bytesIn: 10 * hour * 1.25e6,
  connectionsNew: 10 * hour * 3,
  connectionSeconds: 10 * hour * 60,
  peakInBps: 40e6,
};
const of = (strategy: Strategy, responseShare: number | null, protocol: "tcp" | "udp" = "tcp") => ({
  strategy,
  ports: [{ protocol }, { protocol }],
  runsAs: responseShare === null ? null : runsAs.parse({ provider: "aws", region: "x", zones: 2, responseShare }),
});

it("makes a traffic of what was measured, both ways together", () => {
  expect(profileUsage(used, [of(ecmp, 0.75)])).toMatchObject({
    profile: {
      ...{ averageMbps: 40, peakMbps: 160, newConnectionsPerSecond: 3, activeConnections: 60, responseShare: 0.75 },
      ...{ protocol: "tcp", tls: "none", listeners: 2, zones: 2, exposedAs: "one" },
    },
    notes: [],
  });
});

it("says what it assumes of what goes out, which nobody measures", () => {
  const { profile, notes } = profileUsage(used, [of(ecmp, null, "udp")]);
  expect(profile).toMatchObject({ averageMbps: 100, responseShare: 0.9, protocol: "udp" });
  expect(notes).toEqual([expect.stringContaining("10 Mbit/s. That 90 % of all traffic goes out to them is assumed")]);
});

it("takes what was not measured for like what was, and says so", () => {
  const half = { ...used, coveredSeconds: 5 * hour, bytesIn: 5 * hour * 1.25e6 };
  const { profile, notes } = profileUsage(half, [of(ecmp, 0.75)]);
  expect(profile?.averageMbps).toBe(40);
  expect(notes.length).toBe(1);
});

it("counts as many balancers as there were at once, each with its share", () => {
  const each: Strategy = { type: "per-replica", addressing: "balancer", replicas: 1, poolId: "pool_1" };
  const three = { ...used, existsSeconds: 30 * hour, coveredSeconds: 30 * hour, bytesIn: 30 * hour * 1.25e6 };
  expect(profileUsage(three, [of(each, 0.5)]).profile).toMatchObject({
    ...{ averageMbps: 60, exposedAs: "per-replica", replicas: 3 },
  });
});

it("has no traffic where nobody measured", () => {
  const { profile, notes } = profileUsage({ ...used, coveredSeconds: 0, bytesIn: null }, [of(ecmp, 0.5)]);
  expect([profile, notes.length]).toEqual([null, 1]);
  expect(profileUsage(used, []).profile).toBeNull();
});
