import { Prisma, type Tx } from "@fairlead/db";
import { inCluster, rankFound, type Scope } from "./rank-found.sql.ts";

export type PoolRow = {
  id: string;
  name: string;
  prefix: string;
  clusterId: string;
  clusterName: string;
  allocated: number;
  capacity: number;
};

/** Nine tenths: an exposure that needs several addresses may not fit. */
const nearlyFull = 0.9;

/** findPools finds address pools that are full or nearly full, since the allocation that made them so. */
export function findPools(tx: Tx, scope: Scope) {
  return rankFound<PoolRow>(
    tx,
    scope,
    Prisma.sql`
      SELECT p.id, p.name, p.prefix::text AS prefix, p.cluster_id AS "clusterId", c.name AS "clusterName", used.count AS allocated, size.capacity,
        CASE WHEN used.count >= size.capacity THEN 'pool-full' ELSE 'pool-nearly-full' END AS kind,
        (
          SELECT v.allocated_at FROM virtual_address v WHERE v.pool_id = p.id ORDER BY v.allocated_at
          OFFSET (CASE WHEN used.count >= size.capacity THEN size.capacity ELSE ceil(size.capacity * ${nearlyFull}) END - 1)::bigint LIMIT 1
        ) AS since
      FROM address_pool p
      JOIN cluster c ON c.id = p.cluster_id
      JOIN (
        SELECT v.pool_id, count(*)::int AS count FROM virtual_address v WHERE v.organization_id = ${scope.organizationId} GROUP BY v.pool_id
      ) used ON used.pool_id = p.id
      CROSS JOIN LATERAL (SELECT CASE family(p.prefix) WHEN 4 THEN 32 ELSE 128 END - masklen(p.prefix) AS bits) prefix
      -- Without the network address, and in IPv4 the broadcast address, unless the prefix is that small: as addressCount().
      CROSS JOIN LATERAL (
        SELECT 2::float8 ^ bits - CASE WHEN bits <= 1 THEN 0 WHEN family(p.prefix) = 4 THEN 2 ELSE 1 END AS capacity
      ) size
      WHERE p.organization_id = ${scope.organizationId} AND ${inCluster("p.cluster_id", scope)} AND used.count >= size.capacity * ${nearlyFull}`,
  );
}
