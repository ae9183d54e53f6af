import type { Tx } from "@fairlead/db";
import { hostPrefix } from "@fairlead/domain/address";
import { clusterRouting, type RoutingSnapshot } from "@fairlead/domain/routing";

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

/** selectAnnounced returns the addresses of other clusters that a cluster announces too, as prefixes. */
async function selectAnnounced(tx: Tx, clusterId: string): Promise<string[]> {
  const rows = await tx.$queryRaw<{ address: string }[]>`
    SELECT DISTINCT host(v.address) AS address FROM load_balancer l JOIN virtual_address v ON v.load_balancer_id = l.address_of_id
    WHERE l.cluster_id = ${clusterId}`;
  return rows.map((each) => hostPrefix(each.address));
}
