import type { Cluster, ClusterKind } from "../cluster/cluster.ts";
import { namedBalancerOf } from "./named-balancer.ts";
import { addressings, type Maker, strategies, strategyTypes } from "./strategies.ts";
import type { Strategy } from "./strategy.ts";

/** carriesOwn reports whether our own agents carry such an exposure in such a cluster, without a driver. */
export function carriesOwn(kind: ClusterKind, strategy: Strategy): boolean {
  // The instances on plain machines are unknown.
  return kind !== "machines" && makerOf(strategy) === "agents";
}

/** The strategies whose backends are all stored instances, regardless of the reporter. */
export const byInstances = strategyTypes.filter((type) => strategies[type].byInstances);

/** isDriven reports whether such an exposure is created as Services of a Kubernetes cluster. */
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

/** findLack returns why such an exposure can't be created in such a cluster at present, or null. */
export function findLack({ name, kind, isAttached }: ReachedCluster, strategy: Strategy): string | null {
  if (carriesOwn(kind, strategy))
    return kind === "kubernetes" && !isAttached
      ? `${name} is not attached: add its kubeconfig, so that Fairlead finds its pods and traffic reaches them.`
      : null;
  if (namedBalancerOf(strategy) && kind !== "machines")
    return "The addressing shared-sni needs a pool and a DNS zone: set both in the exposure.";
  if (kind !== "kubernetes")
    return `This version has no driver for ${kind} clusters: the spec is stored, and applied by a version that has one.`;
  if (!isDriven(strategy))
    return `This version doesn't support ${describeStrategy(strategy)} in Kubernetes clusters: the spec is stored, and applied by a version that does.`;
  if (!isAttached) return `${name} is not attached: the spec is stored, and applied once you add its kubeconfig.`;
  return null;
}

/** describeStrategy names a strategy in a sentence. */
export function describeStrategy(strategy: Strategy): string {
  return strategy.type === "per-replica" ? `${strategy.addressing} addresses` : `${strategy.type} exposures`;
}
