import type { Tx } from "@fairlead/db";

/**
 * selectRequesting returns the names of the exposures that request addresses from a pool, also those that hold none at
 * present.
 */
export async function selectRequesting(tx: Tx, poolId: string): Promise<string[]> {
  const rows = await tx.$queryRaw<{ name: string }[]>`
    SELECT e.name FROM address_pool p JOIN exposure e ON e.cluster_id = p.cluster_id
    WHERE p.id = ${poolId} AND e.deleted_at IS NULL AND e.parameters ->> 'poolId' = p.id ORDER BY e.name`;
  return rows.map((each) => each.name);
}
