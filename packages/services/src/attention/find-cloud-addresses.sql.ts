import { Prisma, type Tx } from "@fairlead/db";
import { inCluster, rankFound, type Scope } from "./rank-found.sql.ts";

export type CloudAddressRow = {
  id: string;
  address: string;
  clusterId: string;
  clusterName: string;
  reason: string;
};

/** What is recorded when an address loses its place; the row itself only has the time of its last place. */
const losses = ["AddressRefused", "AddressUnserved", "CloudRefused"];

/** findCloudAddresses finds addresses that a cloud doesn't route to a replica. */
export function findCloudAddresses(tx: Tx, scope: Scope) {
  return rankFound<CloudAddressRow>(
    tx,
    scope,
    Prisma.sql`
      SELECT a.id, host(a.address) AS address, a.cluster_id AS "clusterId", c.name AS "clusterName", a.reason,
        greatest(a.decided_at, (
          SELECT max(e.at) FROM event e
          WHERE e.organization_id = a.organization_id AND e.subject_id IN (a.load_balancer_id, a.cluster_id) AND e.reason = ANY(${losses}::text[])
        )) AS since,
        'cloud-address-' || a.state AS kind
      FROM cloud_address a
      JOIN cluster c ON c.id = a.cluster_id
      WHERE a.organization_id = ${scope.organizationId} AND ${inCluster("a.cluster_id", scope)} AND a.state IN ('refused', 'unserved')`,
  );
}
