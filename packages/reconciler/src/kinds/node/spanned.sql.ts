import type { Tx } from "@fairlead/db";

type Spanned = { id: string; routing: unknown; routingPassword: string };

/** selectSpanned returns the clusters with routing that have a load balancer of the same exposure as a cluster. */
export async function selectSpanned(tx: Tx, clusterId: string): Promise<Spanned[]> {
  return tx.$queryRaw<Spanned[]>`
    SELECT c.id, c.routing, c.routing_password AS "routingPassword" FROM cluster c
    WHERE c.id <> ${clusterId} AND c.routing IS NOT NULL AND EXISTS (
      SELECT 1 FROM load_balancer own JOIN load_balancer other ON other.exposure_id = own.exposure_id
      WHERE own.cluster_id = ${clusterId} AND other.cluster_id = c.id) ORDER BY c.id`;
}
