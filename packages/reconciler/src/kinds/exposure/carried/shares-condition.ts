import type { Tx } from "@fairlead/db";
import { type DesiredExposure, type ObservedExposure, routerUseOf } from "@fairlead/domain/exposure";
import { findSharingProblem } from "@fairlead/services";

/** sharesCondition is the condition of an exposure that spans clusters: whether routers follow its shares. null in one cluster. */
export async function sharesCondition(
  tx: Tx,
  { organizationId, cluster, loadBalancers }: DesiredExposure,
): Promise<ObservedExposure["conditions"][number] | null> {
  const present = loadBalancers.filter((each) => !each.deletedAt);
  const otherIds = present.flatMap(({ elsewhere }) => (elsewhere ? [elsewhere.id] : []));
  if (otherIds.length === 0) return null;
  const use = routerUseOf(present.map((each) => each.standsBy ?? false));
  const problem = await findSharingProblem(tx, organizationId, cluster.id, { otherIds, use });
  return problem === null
    ? { type: "Shared", status: "true", reason: "SharesApplied", message: "Its clusters announce their shares." }
    : { type: "Shared", status: "false", reason: "SharesIgnored", message: problem };
}
