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

/** selectCarryingNodes are the nodes of all agents that should carry something of an exposure, or still have it in their configs. */
export async function selectCarryingNodes(tx: Tx, placed: DesiredExposure): Promise<string[]> {
  const nodeIds = placed.loadBalancers.flatMap((each) => each.replicas.flatMap((replica) => replica.nodeId ?? []));
  const ids = placed.loadBalancers.map((each) => each.id);
  const rows = await tx.$queryRaw<{ nodeId: string }[]>`
    SELECT DISTINCT c.node_id AS "nodeId" FROM node_config c JOIN node n ON n.id = c.node_id
    WHERE n.cluster_id = ${placed.cluster.id} AND c.load_balancer_ids && ${ids}::text[]`;
  return [...new Set([...nodeIds, ...rows.map((each) => each.nodeId)])];
}
