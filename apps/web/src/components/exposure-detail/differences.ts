import type { Exposure } from "@fairlead/domain";
import type { BalancerSums } from "./balancer-sums.ts";

export type WishDifference = { label: string; desired: string; observed: string };

/** differencesOf lists where what is there is not yet what is asked for. Empty while the two agree. */
export function differencesOf(exposure: Exposure, sums: BalancerSums): WishDifference[] {
  const { generation, observedGeneration, deletedAt } = exposure;
  if (deletedAt) return [{ label: "Load balancers", desired: "none", observed: `${sums.total} left` }];
  const differences: WishDifference[] = [];
  if (generation !== observedGeneration)
    differences.push({
      label: "Version of the wish",
      desired: `${generation}`,
      observed: observedGeneration === 0 ? "none acted on yet" : `${observedGeneration}`,
    });
  if (sums.serving !== sums.total)
    differences.push({
      label: "Load balancers",
      desired: `${sums.total} serving`,
      observed: `${sums.serving} serving`,
    });
  if (sums.replicasReady !== sums.replicasDesired)
    differences.push({
      label: "Replicas",
      desired: `${sums.replicasDesired} ready`,
      observed: `${sums.replicasReady} ready`,
    });
  return differences;
}
