import type { Tx } from "@fairlead/db";
import { type ClusterRouting, clusterRouting, type RoutingSnapshot } from "@fairlead/domain/routing";
import { selectAnnounced } from "./announced.sql.ts";
import { selectSpanned } from "./spanned.sql.ts";

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
  const routing = clusterRouting.parse(cluster.routing);
  return {
    nodeName: node.name,
    routing,
    alsoOf: await loadAlsoOf(tx, node, routing),
    sealedPassword: cluster.routingPassword,
    prefixes: [...cluster.addressPools.map((each) => each.prefix), ...(await selectAnnounced(tx, node.clusterId))],
  };
}

/** loadAlsoOf returns the BGP settings of other clusters that list this router too, and have an exposure in common with its own. */
async function loadAlsoOf(
  tx: Tx,
  node: { name: string; clusterId: string },
  { routers }: ClusterRouting,
): Promise<Required<RoutingSnapshot>["alsoOf"]> {
  const address = routers.find((each) => each.name === node.name)?.address;
  if (address === undefined) return [];
  const others = (await selectSpanned(tx, node.clusterId)).map(({ routing, routingPassword }) => ({
    routing: clusterRouting.parse(routing),
    sealedPassword: routingPassword,
  }));
  return others.filter((each) => each.routing.routers.some((router) => router.address === address));
}
