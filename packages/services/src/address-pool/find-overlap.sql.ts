import type { Tx } from "@fairlead/db";

/** findOverlap returns a pool of the cluster that shares addresses with a prefix, or null. */
export async function findOverlap(
  tx: Tx,
  clusterId: string,
  prefix: string,
): Promise<{ name: string; prefix: string } | null> {
  const [row] = await tx.$queryRaw<{ name: string; prefix: string }[]>`
    SELECT name, prefix::text AS prefix FROM address_pool WHERE cluster_id = ${clusterId} AND prefix && ${prefix}::inet
    ORDER BY prefix LIMIT 1`;
  return row ?? null;
}

/**
 * findForeignOverlap returns a pool of another cluster of the organisation that shares addresses with a prefix, or null.
 * Until the end of the transaction, no other one checks: of two overlapping pools that are created at once, the second is
 * found.
 */
export async function findForeignOverlap(
  tx: Tx,
  organizationId: string,
  clusterId: string,
  prefix: string,
): Promise<{ name: string; prefix: string; clusterName: string } | null> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`fairlead.pools.${organizationId}`}, 0))`;
  const [row] = await tx.$queryRaw<{ name: string; prefix: string; clusterName: string }[]>`
    SELECT pool.name, pool.prefix::text AS prefix, cluster.name AS "clusterName"
    FROM address_pool AS pool JOIN cluster ON cluster.id = pool.cluster_id
    WHERE pool.organization_id = ${organizationId} AND pool.cluster_id <> ${clusterId} AND pool.prefix && ${prefix}::inet
    ORDER BY pool.prefix, cluster.name LIMIT 1`;
  return row ?? null;
}
