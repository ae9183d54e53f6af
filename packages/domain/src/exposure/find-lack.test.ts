import { describe, expect, it } from "vitest";
import { carriesOwn, isDriven } from "./driver-kinds.ts";
import {
  describeLack,
  explainLack,
  findAddressingLack,
  findClusterLack,
  findLack,
  findStrategyLack,
  type Lack,
  type ReachedCluster,
} from "./find-lack.ts";
import { sessionDefaults } from "./session.ts";
import { type Addressing, addressingNames, type StrategyType, strategyTypes } from "./strategies.ts";
import type { AdaptiveStrategy, Strategy } from "./strategy.ts";

const lab: ReachedCluster = { name: "berlin", kind: "lab", isAttached: false };
const machines: ReachedCluster = { name: "hall", kind: "machines", isAttached: false };
const attached: ReachedCluster = { name: "fra", kind: "kubernetes", isAttached: true };
const detached: ReachedCluster = { ...attached, isAttached: false };
const messageOf = (lack: Lack | null) => lack?.message ?? null;

const notAttached = "fra is not attached, so its pods are unknown: add its kubeconfig.";
const no = (what: string) => `This version has no driver for ${what}.`;

function all(reason: string | null): Record<StrategyType, string | null> {
  return { ecmp: reason, "per-replica": reason, session: reason, adaptive: reason, cloud: reason };
}

/** The reasons of a cluster, in the order of the strategies; null where an exposure can be created. */
type Row = [string, ReachedCluster | null, Record<StrategyType, string | null>];

describe("a strategy", () => {
  it.each<Row>([
    ["no", null, all(null)],
    ["a lab", lab, { ...all(null), cloud: no("the strategy cloud in lab clusters") }],
    ["an attached", attached, all(null)],
    ["a detached", detached, all(notAttached)],
    [
      "a machines",
      machines,
      {
        ecmp: no("the strategy ecmp in machines clusters"),
        "per-replica": no("the strategy per-replica in machines clusters"),
        session: no("the strategy session in machines clusters"),
        adaptive: no("the strategy adaptive in machines clusters"),
        cloud: no("the strategy cloud in machines clusters"),
      },
    ],
  ])("in %s cluster has a driver, or a reason why not", (_, cluster, want) => {
    const reasons = strategyTypes.map((type) => [type, messageOf(findStrategyLack(cluster, type))]);
    expect(Object.fromEntries(reasons)).toEqual(want);
  });

  it("lacks a driver exactly where each of its specs does", () => {
    for (const cluster of [lab, machines, attached, detached])
      for (const type of strategyTypes) {
        const each = specsOf(type).map((spec) => findLack(cluster, spec));
        expect(findStrategyLack(cluster, type) === null, `${type} in ${cluster.name}`).toBe(each.includes(null));
      }
  });
});

it("lacks nothing exactly where the reconciler has our agents or the driver of an attached cluster", () => {
  for (const cluster of [lab, machines, attached, detached])
    for (const type of strategyTypes)
      for (const spec of specsOf(type)) {
        const byAgents = carriesOwn(cluster.kind, spec) && cluster !== detached;
        const byDriver = cluster === attached && isDriven(spec);
        expect(findLack(cluster, spec) === null, `${JSON.stringify(spec)} in ${cluster.name}`).toBe(
          byAgents || byDriver,
        );
      }
});

it("offers an addressing exactly where an exposure with it can be created", () => {
  for (const cluster of [lab, machines, attached, detached])
    for (const addressing of addressingNames) {
      const lack = findLack(cluster, perReplica(addressing));
      expect(findAddressingLack(cluster, addressing)?.reason, `${addressing} in ${cluster.name}`).toBe(lack?.reason);
    }
  expect(messageOf(findAddressingLack(lab, "node-port"))).toBe(no("the addressing node-port in lab clusters"));
});

it.each<[ReachedCluster, string | null]>([
  [lab, null],
  [attached, null],
  [detached, notAttached],
  [machines, no("machines clusters")],
])("a cluster where nothing can be created has a reason: $name, $kind", (cluster, want) => {
  expect(messageOf(findClusterLack(cluster))).toBe(want);
});

const session: Strategy = { type: "session", replicas: 2, poolId: "pool_1", ...sessionDefaults };
const adaptive: AdaptiveStrategy = { type: "adaptive", poolId: "pool_1" };

describe("the reason of an exposure", () => {
  it.each<[ReachedCluster, Strategy, Lack["reason"], string]>([
    [machines, adaptive, "NoDriver", no("the strategy adaptive in machines clusters")],
    [detached, adaptive, "NotAttached", notAttached],
    [detached, session, "NotAttached", notAttached],
    [machines, session, "NoDriver", no("the strategy session in machines clusters")],
    [detached, perReplica("node-port"), "NotAttached", notAttached],
    [
      lab,
      perReplica("dedicated"),
      "NoDriver",
      no("the strategy per-replica with the addressing dedicated in lab clusters"),
    ],
    [
      attached,
      { type: "per-replica", addressing: "shared-sni" },
      "NoDriver",
      "The addressing shared-sni needs a pool and a DNS zone: set both in the exposure.",
    ],
  ])("in $name names what is missing", (cluster, strategy, reason, message) => {
    expect(findLack(cluster, strategy)).toMatchObject({ reason, message });
    expect(explainLack(cluster, strategy)).toEqual(findLack(cluster, strategy));
  });

  it("continues with what happens to the exposure", () => {
    const lack = explainLack(lab, { type: "cloud", provider: "aws", scheme: "public" });
    const lacks = "This version has no driver for the strategy cloud in lab clusters.";
    expect([
      describeLack(lack, { applied: false, isDeleted: false }),
      describeLack(lack, { applied: true, isDeleted: false }),
      describeLack(lack, { applied: true, isDeleted: true }),
    ]).toEqual([
      `${lacks} The exposure is stored, and created by a version that has one.`,
      `${lacks} What was created for the exposure stays as it is, and is managed again by a version that has one.`,
      `${lacks} What was created for the exposure is removed by a version that has one.`,
    ]);
  });
});

function perReplica(addressing: Addressing): Strategy {
  return { type: "per-replica", addressing, poolId: "pool_1", dnsZone: "games.example.com" };
}

function specsOf(type: StrategyType): Strategy[] {
  switch (type) {
    case "per-replica":
      return addressingNames.map(perReplica);
    case "cloud":
      return [{ type, provider: "aws", scheme: "public" }];
    case "adaptive":
      return [adaptive, { ...adaptive, outside: { replicas: 2 } }];
    case "session":
      return [session];
    default:
      return [{ type, replicas: 2, poolId: "pool_1" }];
  }
}
