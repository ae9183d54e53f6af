import type { ClusterKind } from "../cluster/cluster.ts";
import { namedBalancerOf } from "./named-balancer.ts";
import { addressings, type Maker, strategies, strategyTypes } from "./strategies.ts";
import type { Strategy } from "./strategy.ts";

/** carriesOwn reports whether our own agents carry such an exposure in such a cluster, without a driver. */
export function carriesOwn(kind: ClusterKind, strategy: Strategy): boolean {
  return makerOf(strategy) === "agents" && makes(kind, "agents");
}

/** The strategies whose backends are all stored instances, regardless of the reporter. */
export const byInstances = strategyTypes.filter((type) => strategies[type].byInstances);

/** isDriven reports whether such an exposure is created as Services of a Kubernetes cluster. */
export function isDriven(strategy: Strategy): boolean {
  return makerOf(strategy) === "services";
}

/** makes reports whether a maker can create exposures in clusters of this kind. */
export function makes(kind: ClusterKind, maker: Maker): boolean {
  // The instances on plain machines are unknown, so no agent can carry their traffic.
  return maker === "agents" ? kind !== "machines" : kind === "kubernetes";
}

/** makerOf is what creates such an exposure; null where nothing does. */
export function makerOf(strategy: Strategy): Maker | null {
  const { madeBy } = strategies[strategy.type];
  if (madeBy !== "addressing") return madeBy;
  // Only an exposure that was stored before server names were supported has no pool.
  if (strategy.type !== "per-replica" || namedBalancerOf(strategy)?.poolId === null) return null;
  return addressings[strategy.addressing].madeBy;
}

/** describeStrategy names a strategy in a sentence. */
export function describeStrategy(strategy: Strategy): string {
  if (strategy.type !== "per-replica") return `the strategy ${strategy.type}`;
  return `the strategy per-replica with the addressing ${strategy.addressing}`;
}
