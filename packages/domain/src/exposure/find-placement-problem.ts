import type { Placement } from "./placement.ts";
import type { Strategy } from "./strategy.ts";

export type PlacementProblem = { path: (string | number)[]; message: string };

type Spread = { clusterId: string; strategy: Pick<Strategy, "type">; placements?: readonly Placement[] | undefined };

/** findPlacementProblem returns why an exposure could never span these clusters, or null. */
export function findPlacementProblem({ clusterId, strategy, placements = [] }: Spread): PlacementProblem | null {
  if (placements.length === 0) return null;
  const path = ["placements"];
  if (strategy.type !== "ecmp")
    return { path, message: `only the strategy ecmp spans clusters, not ${strategy.type}: leave them out` };
  const ids = placements.map((each) => each.clusterId);
  const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index);
  if (twice >= 0) return { path: [...path, twice, "clusterId"], message: "this cluster is listed twice: remove one" };
  if (!ids.includes(clusterId))
    return { path, message: "the exposure's own cluster is missing: list it with its share" };
  const own = placements.findIndex((each) => each.clusterId === clusterId && each.workload);
  if (own >= 0)
    return { path: [...path, own, "workload"], message: "its own cluster has the exposure's workload: leave it out" };
  if (placements.length === 1)
    return { path, message: "one cluster needs no shares: list another one, or leave them out" };
  const sum = placements.reduce((total, each) => total + each.share, 0);
  if (sum === 100) return null;
  const by = sum < 100 ? `raise one by ${100 - sum} %` : `lower one by ${sum - 100} %`;
  return { path, message: `the shares add up to ${sum} %, and must add up to 100 %: ${by}` };
}
