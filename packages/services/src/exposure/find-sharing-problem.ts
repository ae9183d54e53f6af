import type { Tx } from "@fairlead/db";
import { findRouterProblem, type RouterUse } from "@fairlead/domain/exposure";
import { loadCluster } from "../cluster/get.ts";
import { findOutdatedSpeaker, selectWeighingRouters } from "./placement-state.sql.ts";

/**
 * findSharingProblem returns why routers don't follow the shares of an exposure in its own cluster and others, or null. Such a cluster
 * is refused when it is added, but its routing and agents may change later.
 */
export async function findSharingProblem(
  tx: Tx,
  organizationId: string,
  clusterId: string,
  { otherIds, use }: { otherIds: readonly string[]; use: RouterUse },
): Promise<string | null> {
  const own = await loadCluster(tx, organizationId, clusterId);
  const weighing = await selectWeighingRouters(tx, organizationId);
  for (const id of otherIds) {
    const problem = findRouterProblem(own, await loadCluster(tx, organizationId, id), { weighing, use });
    if (problem !== null) return problem;
  }
  const outdated = use.byWeight ? await findOutdatedSpeaker(tx, [clusterId, ...otherIds]) : null;
  if (outdated === null) return null;
  return `The speaker on ${outdated} sends no share, because its agent is outdated: update it. Until then, routers send every replica the same share.`;
}
