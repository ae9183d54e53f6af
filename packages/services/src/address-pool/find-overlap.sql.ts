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
