import type { Tx } from "@fairlead/db";
import type { DesiredExposure, ObservedExposure } from "@fairlead/domain/exposure";
import { findSharingProblem } from "@fairlead/services";

/** sharesCondition is the condition of an exposure that spans clusters: whether routers follow its shares. null in one cluster. */
export async function sharesCondition(
  tx: Tx,
  { organizationId, cluster, loadBalancers }: DesiredExposure,
): Promise<ObservedExposure["conditions"][number] | null> {
  const others = loadBalancers.flatMap(({ elsewhere, deletedAt }) => (elsewhere && !deletedAt ? [elsewhere.id] : []));
  if (others.length === 0) return null;
  const problem = await findSharingProblem(tx, organizationId, cluster.id, others);
  return problem === null
    ? { type: "Shared", status: "true", reason: "SharesApplied", message: "Its clusters announce their shares." }
    : { type: "Shared", status: "false", reason: "SharesIgnored", message: problem };
}
