import { differs } from "../../canonical-json.ts";
import { crossesClusters } from "../crosses-clusters.ts";
import { isDriven } from "../driver-kinds.ts";
import type { CreateExposure } from "../exposure.ts";
import { type EffectsOf, listEffects, type SpecForEffects } from "./effect.ts";
import { portEffects } from "./port-effects.ts";
import { strategyEffects } from "./strategy-effects.ts";
import { workloadEffects } from "./workload-effects.ts";

/**
 * describeEffects lists what a change of an exposure does to its clients: which connections end or may break, and what
 * clients must change. It returns nothing for fields that don't affect them.
 */
export function describeEffects(before: SpecForEffects, after: SpecForEffects): string[] {
  return [...new Set(listEffects(specEffects, { before, after, whole: { before, after } }))];
}

/** Only a delivery that the spec sets crosses clusters; the defaults don't. */
function describeShares({ strategy }: SpecForEffects): string {
  const delivery = "delivery" in strategy ? strategy.delivery : undefined;
  return crossesClusters(delivery)
    ? "Clusters: connections whose share moves to another cluster stay at their instances, if the balancers there reach these. Those that are open for more than an hour after the last change break. A cluster that is left out drains first."
    : "Clusters: connections whose share moves to another cluster break: only the deliveries gue and tunnel reach instances of another cluster. A cluster that is left out drains first; its router moves connections that were idle for 30 s.";
}

const specEffects: EffectsOf<CreateExposure, SpecForEffects> = {
  clusterId: null, // it can't change
  name: null, // Services and addresses keep theirs
  labels: null,
  workload: ({ before, after, whole }) =>
    listEffects(workloadEffects, { before: before.workload, after: after.workload, whole }),
  ports: ({ whole }) => portEffects(whole.before, whole.after),
  strategy: ({ whole }) => strategyEffects(whole.before, whole.after),
  placements: ({ before, after, whole }) =>
    differs(before.placements ?? [], after.placements ?? []) ? [describeShares(whole.after)] : [],
  healthCheck({ before, after }) {
    if (!differs(before.healthCheck, after.healthCheck) || isDriven(after.strategy)) return [];
    return after.healthCheck?.type === "none"
      ? ["Health check: new connections also go to instances that are ready but don't respond."]
      : ["Health check: instances that fail the new check get no new connections."];
  },
};
