import type { Exposure } from "@fairlead/domain/exposure";
import type { BalancerSums } from "./balancer-sums.ts";

export type SpecDifference = { label: string; desired: string; observed: string };

/** differencesOf lists what is not yet in the desired state. Empty once there is no difference. */
export function differencesOf(exposure: Exposure, sums: BalancerSums): SpecDifference[] {
  const { generation, observedGeneration, deletedAt } = exposure;
  if (deletedAt) return [{ label: "Load balancers", desired: "none", observed: `${sums.total} left` }];
  const differences: SpecDifference[] = [];
  if (generation !== observedGeneration)
    differences.push({
      label: "Spec version",
      desired: `${generation}`,
      observed: observedGeneration === 0 ? "none processed yet" : `${observedGeneration}`,
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
