import type { ClusterKind } from "./cluster.ts";
import type { StrategyType } from "./strategy.ts";

/** The kinds of cluster that a driver of this version can serve. The plan warns and the reconciler waits where it is absent. */
export const clusterKindsWithDriver: ReadonlySet<ClusterKind> = new Set<ClusterKind>();

/** carriesOwn says that our own agents carry such an exposure in such a cluster: that takes no driver. */
export function carriesOwn(kind: ClusterKind, strategy: StrategyType): boolean {
  return kind === "lab" && strategy === "ecmp";
}

/** isMade says that this version can make such an exposure in such a cluster. */
export function isMade(kind: ClusterKind, strategy: StrategyType): boolean {
  return clusterKindsWithDriver.has(kind) || carriesOwn(kind, strategy);
}
