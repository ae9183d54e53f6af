import type { Tx } from "@fairlead/db";
import type { DesiredExposure, ObservedExposure } from "@fairlead/domain/exposure";
import { findSharingProblem } from "@fairlead/services";

/** sharesCondition is the condition of an exposure that spans clusters: whether routers follow its shares. null in one cluster. */
export async function sharesCondition(
  tx: Tx,
  { organizationId, cluster, loadBalancers }: DesiredExposure,
): Promise<ObservedExposure["conditions"][number] | null> {
  const present = loadBalancers.filter((each) => !each.deletedAt);
  const others = present.flatMap(({ elsewhere, standsBy = false }) =>
    elsewhere ? [{ id: elsewhere.id, standsBy }] : [],
  );
  if (others.length === 0) return null;
  const own = { id: cluster.id, standsBy: present.some((each) => !each.elsewhere && each.standsBy) };
  const problem = await findSharingProblem(tx, organizationId, own, others);
  return problem === null
    ? { type: "Shared", status: "true", reason: "SharesApplied", message: "Its clusters announce their shares." }
    : { type: "Shared", status: "false", reason: "SharesIgnored", message: problem };
}
