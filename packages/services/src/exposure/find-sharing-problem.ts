import type { Tx } from "@fairlead/db";
import { findRouterProblem, pairUseOf, routerUseOf } from "@fairlead/domain/exposure";
import { loadCluster } from "../cluster/get.ts";
import { findOutdatedSpeaker, selectWeighingRouters } from "./placement-state.sql.ts";

/** Spanned is a cluster of an exposure. */
type Spanned = { id: string; standsBy: boolean };

/**
 * findSharingProblem returns why routers don't follow the shares of an exposure in its own cluster and others, or null. Such a cluster
 * is refused when it is added, but its routing and agents may change later.
 */
export async function findSharingProblem(
  tx: Tx,
  organizationId: string,
  own: Spanned,
  others: readonly Spanned[],
): Promise<string | null> {
  const use = routerUseOf([own, ...others].map((each) => each.standsBy));
  const ownCluster = await loadCluster(tx, organizationId, own.id);
  const weighing = await selectWeighingRouters(tx, organizationId);
  for (const { id, standsBy } of others) {
    const pair = pairUseOf(use, own.standsBy, standsBy);
    const problem = findRouterProblem(ownCluster, await loadCluster(tx, organizationId, id), { weighing, use: pair });
    if (problem !== null) return problem;
  }
  const outdated = use.byWeight
    ? await findOutdatedSpeaker(
        tx,
        [own, ...others].map((each) => each.id),
      )
    : null;
  if (outdated === null) return null;
  return `The speaker on ${outdated} sends no share, because its agent is outdated: update it. Until then, routers send every replica the same share.`;
}
