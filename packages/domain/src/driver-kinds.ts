import type { Cluster, ClusterKind } from "./cluster.ts";
import { instanceBalancerOf } from "./instance-balancer.ts";
import { namedBalancerOf } from "./named-balancer.ts";
import type { Strategy, StrategyType } from "./strategy.ts";

/** carriesOwn says that our own agents carry such an exposure in such a cluster: that takes no driver. */
export function carriesOwn(kind: ClusterKind, strategy: Strategy): boolean {
  // Nobody says what runs on plain machines.
  if (kind === "machines") return false;
  switch (strategy.type) {
    case "ecmp":
      return true;
    case "per-replica":
      return instanceBalancerOf(strategy) !== null || (namedBalancerOf(strategy)?.poolId ?? null) !== null;
    case "session":
    case "adaptive":
    case "cloud":
      return false;
    default:
      return strategy satisfies never;
  }
}

/** The strategies whose backends are all instances that are stored, whoever saw them. */
export const byInstances: readonly StrategyType[] = ["ecmp"];

/** isDriven says that Services of a Kubernetes cluster can be such an exposure. */
export function isDriven(strategy: Strategy): boolean {
  if (strategy.type === "cloud") return true;
  return strategy.type === "per-replica" && drivenAddressings.has(strategy.addressing);
}

const drivenAddressings: ReadonlySet<string> = new Set(["dedicated", "shared-port", "node-port"]);

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
    return `No driver for ${kind} clusters is part of this version: the wish is stored, and made once there is one.`;
  if (!isDriven(strategy))
    return `This version makes no ${describeStrategy(strategy)} in Kubernetes clusters: the wish is stored, and made by one that does.`;
  if (!isAttached) return `${name} is not attached: the wish is stored, and made once its kubeconfig is given.`;
  return null;
}

/** describeStrategy is what people call it, in a sentence. */
export function describeStrategy(strategy: Strategy): string {
  return strategy.type === "per-replica" ? `${strategy.addressing} addresses` : `${strategy.type} exposures`;
}
