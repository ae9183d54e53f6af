import type { Cluster, ClusterKind } from "../cluster/cluster.ts";
import type { ConditionReason } from "../event/reasons.ts";
import { describeStrategy, makerOf, makes } from "./driver-kinds.ts";
import { namedBalancerOf } from "./named-balancer.ts";
import {
  type Addressing,
  addressingNames,
  addressings,
  type Maker,
  type StrategyType,
  strategies,
  strategyTypes,
} from "./strategies.ts";
import type { Strategy } from "./strategy.ts";

export type ReachedCluster = Pick<Cluster, "name" | "kind"> & { isAttached: boolean };

export function reachedBy({ name, kind, kubernetes }: Pick<Cluster, "name" | "kind" | "kubernetes">): ReachedCluster {
  return { name, kind, isAttached: kubernetes !== null };
}

type NamedCluster = Pick<Cluster, "name" | "kind">;

/** Lack is why an exposure can't be created in a cluster at present. */
export type Lack = {
  reason: Extract<ConditionReason, "NoDriver" | "NotAttached">;
  /** What is missing, in one sentence. */
  message: string;
  /** What ends it, to complete "created …". */
  until: string;
};

/** findLack returns why such an exposure can't be created in such a cluster at present, or null. */
export function findLack(cluster: ReachedCluster, strategy: Strategy): Lack | null {
  const maker = makerOf(strategy);
  const isMade = maker !== null && makes(cluster.kind, maker) && isReached(cluster);
  return isMade ? null : explainLack(cluster, strategy);
}

/** explainLack returns why such an exposure can't be created in a cluster without a driver for it. */
export function explainLack(cluster: NamedCluster, strategy: Strategy): Lack {
  if (namedBalancerOf(strategy)?.poolId === null)
    return {
      reason: "NoDriver",
      message: "The addressing shared-sni needs a pool and a DNS zone: set both in the exposure.",
      until: "once both are set",
    };
  return lackOf(cluster, makerOf(strategy), describeStrategy(strategy));
}

/**
 * findStrategyLack returns why no exposure with this strategy can be created in a cluster, regardless of its settings, or
 * null. Without a cluster there is none.
 */
export function findStrategyLack(cluster: ReachedCluster | null, type: StrategyType): Lack | null {
  if (!cluster) return null;
  const { madeBy } = strategies[type];
  const makers: Maker[] = madeBy === "addressing" ? addressingNames.map((name) => addressings[name].madeBy) : [madeBy];
  const maker = makers.find((each) => makes(cluster.kind, each)) ?? null;
  if (maker && isReached(cluster)) return null;
  return lackOf(cluster, maker ?? makers[0] ?? null, `the strategy ${type}`);
}

/** findAddressingLack is findLack for the addressing of a strategy that isn't complete yet. */
export function findAddressingLack(cluster: ReachedCluster, addressing: Addressing): Lack | null {
  const { madeBy } = addressings[addressing];
  if (makes(cluster.kind, madeBy) && isReached(cluster)) return null;
  return lackOf(cluster, madeBy, `the addressing ${addressing}`);
}

/** findClusterLack returns why no exposure at all can be created in a cluster, or null. */
export function findClusterLack(cluster: ReachedCluster): Lack | null {
  const lacks = strategyTypes.map((type) => findStrategyLack(cluster, type));
  if (lacks.includes(null)) return null;
  return lacks.find((lack) => lack?.reason === "NotAttached") ?? noDriver(`${kindNames[cluster.kind]} clusters`);
}

function isReached({ kind, isAttached }: ReachedCluster): boolean {
  return kind !== "kubernetes" || isAttached;
}

function lackOf({ name, kind }: NamedCluster, maker: Maker | null, what: string): Lack {
  if (maker === null) return noDriver(what);
  if (!makes(kind, maker)) return noDriver(`${what} in ${kindNames[kind]} clusters`);
  return {
    reason: "NotAttached",
    message: `${name} is not attached, so its pods are unknown: add its kubeconfig.`,
    until: "once the cluster is attached",
  };
}

function noDriver(what: string): Lack {
  return { reason: "NoDriver", message: `This version has no driver for ${what}.`, until: "by a version that has one" };
}

const kindNames = { kubernetes: "Kubernetes", lab: "lab", machines: "machines" } as const satisfies Record<
  ClusterKind,
  string
>;

/** describeLack says what is missing, and what that means for an exposure and for what was created for it. */
export function describeLack(
  { message, until }: Lack,
  { applied, isDeleted }: { applied: boolean; isDeleted: boolean },
): string {
  if (isDeleted) return `${message} What was created for the exposure is removed ${until}.`;
  if (applied) return `${message} What was created for the exposure stays as it is, and is managed again ${until}.`;
  return `${message} The exposure is stored, and created ${until}.`;
}
