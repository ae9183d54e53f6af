import type { Tx } from "@fairlead/db";

/** selectClientAddresses returns the addresses of instances by node, from which their connections come. */
export async function selectClientAddresses(tx: Tx, clusterId: string): Promise<Map<string, string[]>> {
  const rows = await tx.$queryRaw<{ nodeId: string; addresses: string[] }[]>`
    SELECT coalesce(n.id, i.node_name) AS "nodeId", array_agg(host(a)) AS addresses
    FROM instance i CROSS JOIN LATERAL unnest(i.addresses) AS a LEFT JOIN node n ON n.cluster_id = i.cluster_id AND n.name = i.node_name
    WHERE i.cluster_id = ${clusterId} AND i.node_name <> '' GROUP BY 1`;
  return new Map(rows.map((each) => [each.nodeId, each.addresses]));
}

/** storeClientPrefixes returns whether they differ from the stored ones. */
export async function storeClientPrefixes(
  tx: Tx,
  clusterId: string,
  prefixes: ReadonlyMap<string, readonly string[]>,
  now: Date,
): Promise<boolean> {
  const json = JSON.stringify(Object.fromEntries(prefixes));
  const [stored] = await tx.$queryRaw<{ differs: boolean }[]>`
    WITH former AS (SELECT prefixes FROM client_prefixes WHERE cluster_id = ${clusterId})
    INSERT INTO client_prefixes (cluster_id, prefixes, planned_at)
    SELECT id, ${json}::jsonb, ${now}::timestamptz FROM cluster WHERE id = ${clusterId}
    ON CONFLICT (cluster_id) DO UPDATE SET prefixes = excluded.prefixes, planned_at = excluded.planned_at
    RETURNING (SELECT prefixes FROM former) IS DISTINCT FROM client_prefixes.prefixes AS differs`;
  return stored?.differs ?? false;
}

export async function findPlannedAt(tx: Tx, clusterId: string): Promise<Date | null> {
  const row = await tx.clientPrefixes.findUnique({ where: { clusterId }, select: { plannedAt: true } });
  return row?.plannedAt ?? null;
}

export async function deleteClientPrefixes(tx: Tx, clusterId: string): Promise<void> {
  await tx.clientPrefixes.deleteMany({ where: { clusterId } });
}

/** selectClientPrefixes returns the planned prefixes by node; none before the first plan. */
export async function selectClientPrefixes(tx: Tx, clusterId: string): Promise<Map<string, string[]>> {
  const [row] = await tx.$queryRaw<{ prefixes: Record<string, string[]> }[]>`
    SELECT prefixes FROM client_prefixes WHERE cluster_id = ${clusterId}`;
  return new Map(Object.entries(row?.prefixes ?? {}));
}
