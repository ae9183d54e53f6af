import type { Tx } from "@fairlead/db";
import { clusterRouting, type RoutingSnapshot } from "@fairlead/domain/routing";
import { selectAnnounced } from "./announced.sql.ts";

/** loadRouting returns the BGP settings of a node's cluster; null where it has none. */
export async function loadRouting(
  tx: Tx,
  node: { name: string; clusterId: string },
): Promise<Omit<RoutingSnapshot, "loadBalancers" | "leaving"> | null> {
  const cluster = await tx.cluster.findUniqueOrThrow({
    where: { id: node.clusterId },
    select: { routing: true, routingPassword: true, addressPools: { select: { prefix: true } } },
  });
  if (cluster.routing === null) return null;
  return {
    nodeName: node.name,
    routing: clusterRouting.parse(cluster.routing),
    sealedPassword: cluster.routingPassword,
    prefixes: [...cluster.addressPools.map((each) => each.prefix), ...(await selectAnnounced(tx, node.clusterId))],
  };
}
