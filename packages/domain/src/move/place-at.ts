import type { Placement } from "../exposure/placement.ts";
import type { Workload } from "../exposure/workload.ts";

/** MovePlace is where an exposure is: its own cluster, the workload there, and the clusters that it spans. */
export type MovePlace = { clusterId: string; workload: Workload; placements: Placement[] };

type Ends = { before: MovePlace; toClusterId: string; workload: Workload | null };

/** placeAt returns where an exposure is with a share of the target. With 100 % the target is its own cluster, which has the address. */
export function placeAt({ before, toClusterId, workload }: Ends, share: number): MovePlace {
  if (share >= 100) return { clusterId: toClusterId, workload: workload ?? before.workload, placements: [] };
  const target = { clusterId: toClusterId, share, ...(workload ? { workload } : {}) };
  return { ...before, placements: [{ clusterId: before.clusterId, share: 100 - share }, target] };
}
