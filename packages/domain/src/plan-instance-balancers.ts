import type { DesiredExposure } from "./exposure-state.ts";
import type { ObservedInstance } from "./observed-outside.ts";

export type InstanceBalancersPlan = { create: { name: string; instance: string }[]; remove: string[] };

/**
 * planInstanceBalancers decides, for a strategy with one load balancer per instance, which are missing and which
 * belong to no instance any more. Every other strategy's balancers were planned with the wish.
 */
export function planInstanceBalancers(desired: DesiredExposure, instances: ObservedInstance[]): InstanceBalancersPlan {
  if (desired.strategy.type !== "per-replica" || desired.deletedAt) return { create: [], remove: [] };
  const names = new Set(instances.map((each) => each.name));
  const kept = desired.loadBalancers.filter((each) => !each.deletedAt);
  // A name stays taken until the balancer that is going has gone: its instance waits for the next look.
  const taken = new Set(desired.loadBalancers.map((each) => each.instance));
  return {
    create: [...names]
      .filter((name) => !taken.has(name))
      .sort()
      .map((name) => ({ name, instance: name })),
    remove: kept.filter((each) => each.instance === null || !names.has(each.instance)).map((each) => each.id),
  };
}
