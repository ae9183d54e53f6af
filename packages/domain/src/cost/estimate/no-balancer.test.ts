import { expect, it } from "vitest";
import { estimateFor } from "../testing/seeded.ts";
import type { TrafficProfileInput } from "../traffic/traffic-profile.ts";
import { estimateRequest } from "./estimate.ts";
import { exampleBackends } from "./no-balancer.ts";

const weigh = (profile: TrafficProfileInput) => estimateFor(profile, { providers: ["oracle"] }).noBalancer;
const [small, large] = exampleBackends.map(({ mbps }) => mbps);

it.each<[string, TrafficProfileInput, boolean | null, string | null]>([
  ["a small instance carries 25 Mbit/s", { averageMbps: 25, backendMbps: small }, true, "proven"],
  ["a small instance does not carry a peak of 61", { averageMbps: 25, peakMbps: 61, backendMbps: small }, false, null],
  ["a larger one does", { averageMbps: 25, peakMbps: 61, backendMbps: large }, true, "proven"],
  // "Even if your application is 10 times more CPU intensive": 31 Mbit/s.
  [
    "ten times the CPU time, calculated",
    { averageMbps: 25, backendCores: 8, corePercentPerMbps: (8 * 100) / 31 },
    true,
    "likely",
  ],
  ["too much CPU time for one core", { averageMbps: 25, corePercentPerMbps: 5 }, false, null],
  [
    "each replica carries its share",
    { averageMbps: 100, replicas: 4, exposedAs: "per-replica", backendMbps: 25 },
    true,
    "proven",
  ],
  [
    "replicas behind one address share nothing without a balancer",
    { averageMbps: 100, replicas: 4, backendMbps: 25 },
    false,
    null,
  ],
  ["an unknown capacity", { averageMbps: 25 }, null, "unknown"],
])("%s", (_, profile, fits, grade) => {
  expect(weigh(profile)).toMatchObject({ fits, grade });
});

it("states the rule of thumb only for little traffic", () => {
  const rule = "Below about 25 Mbit/s, most applications need no balancer.";
  expect(weigh({ averageMbps: 25 }).reasons).toContain(rule);
  expect(weigh({ averageMbps: 26 }).reasons).not.toContain(rule);
});

it("states that data and addresses are still billed, unless a balancer is needed", () => {
  const billed = "No balancer cost. Public addresses and data to the internet are billed to the backends instead.";
  expect(weigh({ averageMbps: 25, internetShare: 1 }).reasons).toContain(billed);
  expect(weigh({ averageMbps: 25, backendMbps: 60 }).reasons).toContain(billed);
  expect(weigh({ averageMbps: 61, backendMbps: 60 }).reasons).not.toContain(billed);
});

it("states what is lost", () => {
  expect(weigh({ averageMbps: 5 }).losses).toEqual([
    "No failover: if the backend fails, the service is down.",
    "No rolling updates: an update interrupts connections.",
  ]);
  expect(
    weigh({ averageMbps: 5, zones: 2, tls: "terminate", protocol: "http", rulesPerRequest: 3 }).losses,
  ).toHaveLength(5);
});

it("rejects a measured and a calculated capacity together", () => {
  const { error } = estimateRequest.safeParse({ profile: { averageMbps: 1, backendMbps: 60, corePercentPerMbps: 1 } });
  expect(error?.issues.map(({ path }) => path.join("."))).toEqual(["profile.corePercentPerMbps"]);
});
