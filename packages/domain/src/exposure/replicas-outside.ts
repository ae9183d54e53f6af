import type { AdaptiveStrategy } from "./strategy.ts";

/** replicasOutside is the number of balancers that announce the address of a strategy to clients outside the cluster. */
export function replicasOutside({ outside }: AdaptiveStrategy): number {
  return outside?.replicas ?? 0;
}
