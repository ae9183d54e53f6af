import type { Tx } from "@fairlead/db";
import { hostPrefix } from "@fairlead/domain/address";

/** selectAnnounced returns the addresses from pools of other clusters that a cluster announces too, as prefixes. */
export async function selectAnnounced(tx: Tx, clusterId: string): Promise<string[]> {
  const rows = await tx.$queryRaw<{ address: string }[]>`
    SELECT DISTINCT host(v.address) AS address FROM load_balancer l JOIN virtual_address v ON v.load_balancer_id = coalesce(l.address_of_id, l.id)
      JOIN address_pool p ON p.id = v.pool_id
    WHERE l.cluster_id = ${clusterId} AND p.cluster_id <> l.cluster_id`;
  return rows.map((each) => hostPrefix(each.address));
}
