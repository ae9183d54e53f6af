import type { DesiredExposure, DesiredLoadBalancer } from "../exposure/exposure-state.ts";
import type { ObservedInstance } from "../exposure/observed-outside.ts";
import { addressings } from "../exposure/strategies.ts";

export type InstanceBalancersPlan = {
  create: { name: string; instance: string; kind: DesiredLoadBalancer["kind"] }[];
  remove: string[];
  /** Load balancers whose instance was first seen to be gone, and may return. */
  missed: string[];
  /** Load balancers whose instance has returned in time. */
  found: string[];
  /** When the next wait for an instance ends; null if there is none. */
  nextInMs: number | null;
};

const nothing: InstanceBalancersPlan = { create: [], remove: [], missed: [], found: [], nextInMs: null };

/** The default of keepSeconds: how long an address is kept for its instance. */
export const keepSecondsUsually = 300;

/**
 * planInstanceBalancers decides, for a strategy with one load balancer per instance, which to create and which to remove:
 * those without an instance, or of a kind that a changed addressing no longer uses. One whose instance is gone is kept for a
 * while, with its address. The load balancers of other strategies are planned with the spec.
 */
export function planInstanceBalancers(
  desired: DesiredExposure,
  instances: readonly ObservedInstance[],
  now: Date,
): InstanceBalancersPlan {
  const { strategy } = desired;
  if (strategy.type !== "per-replica" || desired.deletedAt) return nothing;
  const kept = desired.loadBalancers.filter((each) => !each.deletedAt);
  const { isOwn, madeBy } = addressings[strategy.addressing];
  if (!isOwn) return { ...nothing, remove: kept.filter((each) => each.instance !== null).map((each) => each.id) };
  const kind = madeBy === "agents" ? "fairlead" : "cloud";
  const keepMs = (strategy.keepSeconds ?? keepSecondsUsually) * 1_000;
  const names = new Set(instances.map((each) => each.name));
  // A name stays taken until its old balancer is deleted. Its instance gets a new one in a later pass.
  const taken = new Set(desired.loadBalancers.map((each) => each.instance));
  const fitting = kept.filter((each) => each.instance !== null && each.kind === kind);
  const away = fitting.filter(({ instance }) => instance === null || !names.has(instance));
  const leftMs = ({ instanceGoneAt }: DesiredLoadBalancer) =>
    (instanceGoneAt ?? now).getTime() + keepMs - now.getTime();
  const waiting = away.filter((each) => leftMs(each) > 0);
  const [isFitting, isAway] = [new Set(fitting), new Set(away)];
  return {
    create: [...names]
      .filter((name) => !taken.has(name))
      .sort()
      .map((name) => ({ name, instance: name, kind })),
    remove: kept.filter((each) => !isFitting.has(each) || (isAway.has(each) && leftMs(each) <= 0)).map(idOf),
    missed: waiting.filter((each) => each.instanceGoneAt === null).map(idOf),
    found: fitting.filter((each) => each.instanceGoneAt !== null && !isAway.has(each)).map(idOf),
    nextInMs: waiting.length > 0 ? Math.min(...waiting.map(leftMs)) : null,
  };
}

function idOf({ id }: DesiredLoadBalancer): string {
  return id;
}
