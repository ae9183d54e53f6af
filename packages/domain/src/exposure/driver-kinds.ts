import type { Cluster, ClusterKind } from "../cluster/cluster.ts";
import { namedBalancerOf } from "./named-balancer.ts";
import { addressings, type Maker, strategies, strategyTypes } from "./strategies.ts";
import type { Strategy } from "./strategy.ts";

/** carriesOwn says that our own agents carry such an exposure in such a cluster: that takes no driver. */
export function carriesOwn(kind: ClusterKind, strategy: Strategy): boolean {
  // What runs on plain machines is unknown.
  return kind !== "machines" && makerOf(strategy) === "agents";
}

/** The strategies whose backends are all stored instances, regardless of the reporter. */
export const byInstances = strategyTypes.filter((type) => strategies[type].byInstances);

/** isDriven says that Services of a Kubernetes cluster can be such an exposure. */
export function isDriven(strategy: Strategy): boolean {
  return makerOf(strategy) === "services";
}

/** makerOf is what creates such an exposure; null where nothing does. */
function makerOf(strategy: Strategy): Maker | null {
  const { madeBy } = strategies[strategy.type];
  if (madeBy !== "addressing") return madeBy;
  // Only an exposure that was stored before server names were supported has no pool.
  if (strategy.type !== "per-replica" || namedBalancerOf(strategy)?.poolId === null) return null;
  return addressings[strategy.addressing].madeBy;
}

export type ReachedCluster = Pick<Cluster, "name" | "kind"> & { isAttached: boolean };

export function reachedBy({ name, kind, kubernetes }: Pick<Cluster, "name" | "kind" | "kubernetes">): ReachedCluster {
  return { name, kind, isAttached: kubernetes !== null };
}

/** findLack says why such an exposure can't be made in such a cluster at present, or null where it can. */
export function findLack({ name, kind, isAttached }: ReachedCluster, strategy: Strategy): string | null {
  if (carriesOwn(kind, strategy))
    return kind === "kubernetes" && !isAttached
      ? `${name} is not attached: its pods are known, and traffic reaches them, once its kubeconfig is given.`
      : null;
  if (namedBalancerOf(strategy) && kind !== "machines")
    return "The addressing shared-sni takes a pool and a DNS zone: change the exposure, and give it both.";
  if (kind !== "kubernetes")
    return `No driver for ${kind} clusters is part of this version: the spec is stored, and made once there is one.`;
  if (!isDriven(strategy))
    return `This version makes no ${describeStrategy(strategy)} in Kubernetes clusters: the spec is stored, and made by one that does.`;
  if (!isAttached) return `${name} is not attached: the spec is stored, and made once its kubeconfig is given.`;
  return null;
}

/** describeStrategy is what people call it, in a sentence. */
export function describeStrategy(strategy: Strategy): string {
  return strategy.type === "per-replica" ? `${strategy.addressing} addresses` : `${strategy.type} exposures`;
}
