import { createHash } from "node:crypto";
import type { Tx } from "@fairlead/db";
import { canonicalJson, type DesiredExposure, servicesOf } from "@fairlead/domain";
import { selectPlacedBalancers } from "../../placed-balancers.sql.ts";

/** contributionDigest is equal for equal contributions of an exposure to its agents' configs. */
export async function contributionDigest(tx: Tx, placed: DesiredExposure): Promise<string> {
  const agentIds = placed.loadBalancers.flatMap((each) => each.replicas.map((replica) => replica.agentId)).sort();
  const balancers = await selectPlacedBalancers(tx, { exposureId: placed.id });
  const services = balancers.flatMap(({ balancer }) => [balancer.engine ?? null, servicesOf(balancer)]);
  return createHash("sha256").update(canonicalJson({ agentIds, services })).digest("hex");
}
