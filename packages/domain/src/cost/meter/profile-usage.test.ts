import { describe, expect, it } from "vitest";
import type { Strategy } from "../../exposure/strategy.ts";
import { profileUsage } from "./profile-usage.ts";
import { runsAs } from "./runs-as.ts";

const ecmp: Strategy = { type: "ecmp", replicas: 2, poolId: "pool_1" };
const hour = 3_600;
const used = {
  seconds: 10 * hour,
  existsSeconds: 10 * hour,
  coveredSeconds: 10 * hour,
  bytesIn: 10 * hour * 1.25e6,
  ...{ bytesOut: null, bytesInAnswered: null, bytesBoth: null, peakBothBps: null },
  connectionsNew: 10 * hour * 3,
  connectionSeconds: 10 * hour * 60,
  peakInBps: 40e6,
};
const of = (strategy: Strategy, responseShare: number | null, protocol: "tcp" | "udp" = "tcp") => ({
  strategy,
  ports: [{ protocol }, { protocol }],
  runsAs: responseShare === null ? null : runsAs.parse({ provider: "aws", region: "x", zones: 2, responseShare }),
});

it("derives a profile from the measured traffic, both directions together", () => {
  expect(profileUsage(used, [of(ecmp, 0.75)])).toMatchObject({
    profile: {
      ...{ averageMbps: 40, peakMbps: 160, newConnectionsPerSecond: 3, activeConnections: 60, responseShare: 0.75 },
      ...{ protocol: "tcp", tls: "none", listeners: 2, zones: 2, exposedAs: "one" },
    },
    notes: [],
  });
});

it("notes the assumed share of traffic to clients, which isn't measured", () => {
  const { profile, notes } = profileUsage(used, [of(ecmp, null, "udp")]);
  expect(profile).toMatchObject({ averageMbps: 100, responseShare: 0.9, protocol: "udp" });
  expect(notes).toEqual([expect.stringContaining("10 Mbit/s. That 90 % of all traffic goes out to them is assumed")]);
});

it("uses the measured traffic to clients, if it passes balancers", () => {
  const out = { bytesOut: 10 * hour * 3.75e6, bytesInAnswered: used.bytesIn };
  const { profile, notes } = profileUsage({ ...used, ...out }, [of(ecmp, 0.5)]);
  expect(profile).toMatchObject({ averageMbps: 40, peakMbps: 160, responseShare: 0.75 });
  expect(notes).toEqual([]);
  const direct = profileUsage({ ...used, ...out, bytesOut: 0 }, [of(ecmp, 0.5)]);
  expect(direct.profile).toMatchObject({ averageMbps: 20, responseShare: 0.5 });
});

it("assumes the same share of traffic to clients for hours in which it isn't known", () => {
  const out = { bytesOut: hour * 3.75e6, bytesInAnswered: hour * 1.25e6 };
  expect(profileUsage({ ...used, ...out }, [of(ecmp, null)]).profile).toMatchObject({
    averageMbps: 40,
    responseShare: 0.75,
  });
});

it("uses traffic counted in both directions as it is", () => {
  const both = { bytesIn: null, peakInBps: null, bytesBoth: 10 * hour * 5e6, peakBothBps: 90e6 };
  const { profile, notes } = profileUsage({ ...used, ...both }, [of(ecmp, null)]);
  expect(profile).toMatchObject({ averageMbps: 40, peakMbps: 90, responseShare: 0.9 });
  expect(notes).toEqual([expect.stringContaining("Both directions are measured together")]);
});

it("assumes the same traffic for unmeasured time, with a note", () => {
  const half = { ...used, coveredSeconds: 5 * hour, bytesIn: 5 * hour * 1.25e6 };
  const { profile, notes } = profileUsage(half, [of(ecmp, 0.75)]);
  expect(profile?.averageMbps).toBe(40);
  expect(notes.length).toBe(1);
});

it("counts the balancers that existed at once, each with its share", () => {
  const each: Strategy = { type: "per-replica", addressing: "balancer", replicas: 1, poolId: "pool_1" };
  const three = { ...used, existsSeconds: 30 * hour, coveredSeconds: 30 * hour, bytesIn: 30 * hour * 1.25e6 };
  expect(profileUsage(three, [of(each, 0.5)]).profile).toMatchObject({
    ...{ averageMbps: 60, exposedAs: "per-replica", replicas: 3 },
  });
});

it("is the same for an exposure that existed for only a part of an hour", () => {
  const each: Strategy = { type: "per-replica", addressing: "balancer", replicas: 1, poolId: "pool_1" };
  const seconds = 11 * 60;
  const three = 3 * seconds;
  const short = {
    ...used,
    ...{ seconds, existsSeconds: three, coveredSeconds: three, bytesIn: three * 1.25e6 },
    ...{ connectionsNew: three * 3, connectionSeconds: three * 60 },
  };
  expect(profileUsage(short, [of(each, 0.5)]).profile).toMatchObject({
    ...{ averageMbps: 60, newConnectionsPerSecond: 9, activeConnections: 180, replicas: 3 },
  });
});

it("is a profile without traffic for an idle exposure", () => {
  const idle = { ...used, bytesIn: 0, peakInBps: 12, connectionsNew: 0, connectionSeconds: 0 };
  expect(profileUsage(idle, [of(ecmp, 0.5)]).profile).toMatchObject({ averageMbps: 0, peakMbps: 0 });
});

describe("Fairlead's own probes", () => {
  const probes = { packetsPerSecond: 20, newConnectionsPerSecond: 2 };
  const included = "Traffic includes Fairlead's own probes, a few kbit/s for each replica.";
  const subtracted = (perSecond: number) =>
    `Fairlead's own probes are subtracted from new connections: ${perSecond} per second, as its replicas are probed now.`;

  it("are no clients", () => {
    const { profile, notes } = profileUsage(used, [of(ecmp, 0.75)], probes);
    expect(profile?.newConnectionsPerSecond).toBe(1);
    expect(notes).toEqual([subtracted(2), included]);
  });

  it("are subtracted for each balancer", () => {
    const three = { ...used, existsSeconds: 30 * hour, coveredSeconds: 15 * hour, connectionsNew: 15 * hour * 3 };
    const { profile, notes } = profileUsage(three, [of(ecmp, 0.75)], probes);
    expect(profile?.newConnectionsPerSecond).toBe(3);
    expect(notes).toContain(subtracted(6));
  });

  it("leave no connections of an idle exposure, also if they were fewer before", () => {
    const idle = { ...used, connectionsNew: 10 * hour * 1.5 };
    expect(profileUsage(idle, [of(ecmp, 0.75)], probes).profile?.newConnectionsPerSecond).toBe(0);
  });

  it("are only noted, if their engine counts no connections of them", () => {
    const { profile, notes } = profileUsage(used, [of(ecmp, 0.75)], { ...probes, newConnectionsPerSecond: 0 });
    expect(profile?.newConnectionsPerSecond).toBe(3);
    expect(notes).toEqual([included]);
  });
});

it("has no profile without measurements", () => {
  const { profile, notes } = profileUsage({ ...used, coveredSeconds: 0, bytesIn: null }, [of(ecmp, 0.5)]);
  expect([profile, notes.length]).toEqual([null, 1]);
  expect(profileUsage(used, []).profile).toBeNull();
});
