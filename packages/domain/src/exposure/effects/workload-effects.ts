import { differs } from "../../canonical-json.ts";
import { backendTimes, backendTimesOf } from "../../load-balancer/plan-backends.ts";
import { isDriven } from "../driver-kinds.ts";
import type { Workload } from "../workload.ts";
import type { Effect, EffectsOf } from "./effect.ts";

const otherInstances: Effect<Workload> = ({ before, after, whole }) => {
  if (!differs(before, after)) return [];
  const { strategy } = whole.after;
  const { drainMs, returnMs = 0 } = backendTimesOf(strategy, backendTimes, false);
  const ends = isDriven(strategy)
    ? "Workload: connections to instances that are not in the new one may break."
    : `Workload: connections to instances that are not in the new one end after ${(drainMs + returnMs) / 1_000} seconds.`;
  if (strategy.type !== "per-replica") return [ends];
  const theirs = strategy.addressing === "shared-sni" ? "server names" : "addresses and ports";
  return [ends, `Workload: clients must use the ${theirs} of the new instances.`];
};

/** Fields that name the instances have the same effect, which is listed once. */
export const workloadEffects: EffectsOf<Workload> = {
  kind: otherInstances,
  name: otherInstances,
  selector: otherInstances,
  namespace: (change) => {
    const { before, after, whole } = change;
    if (before.namespace === after.namespace || !isDriven(whole.after.strategy)) return otherInstances(change);
    return [
      ...otherInstances(change),
      "Namespace: Services move to the new one. Addresses and node ports may change, and connections may break.",
    ];
  },
};
