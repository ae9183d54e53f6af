import type { DesiredExposure, DesiredLoadBalancer } from "./exposure-state.ts";
import type { ObservedInstance } from "./observed-outside.ts";

export type InstanceBalancersPlan = {
  create: { name: string; instance: string; kind: DesiredLoadBalancer["kind"] }[];
  remove: string[];
};

/**
 * planInstanceBalancers decides, for a strategy with one load balancer per instance, which are missing and which
 * belong to no instance any more, or are of a kind that a changed addressing no longer asks for. Every other
 * strategy's balancers were planned with the wish.
 */
export function planInstanceBalancers(desired: DesiredExposure, instances: ObservedInstance[]): InstanceBalancersPlan {
  const { strategy } = desired;
  if (strategy.type !== "per-replica" || desired.deletedAt) return { create: [], remove: [] };
  const kind = ownBalancers.has(strategy.addressing) ? "fairlead" : "cloud";
  const names = new Set(instances.map((each) => each.name));
  const kept = desired.loadBalancers.filter((each) => !each.deletedAt);
  // A name stays taken until the balancer that is going has gone: its instance waits for the next look.
  const taken = new Set(desired.loadBalancers.map((each) => each.instance));
  return {
    create: [...names]
      .filter((name) => !taken.has(name))
      .sort()
      .map((name) => ({ name, instance: name, kind })),
    remove: kept
      .filter((each) => each.instance === null || !names.has(each.instance) || each.kind !== kind)
      .map((each) => each.id),
  };
}

/** The ways to give each instance an address for which a balancer of ours stands in front; else the cluster's own does. */
const ownBalancers: ReadonlySet<string> = new Set(["shared-port", "shared-sni", "balancer"]);
