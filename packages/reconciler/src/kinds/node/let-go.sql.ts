import type { Tx } from "@fairlead/db";

/** selectLetGo returns the speakers that a running experiment of the cluster has removed at the moment. */
export async function selectLetGo(tx: Tx, clusterId: string): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT unnest(drained) AS id FROM experiment WHERE cluster_id = ${clusterId} AND state = 'running'`;
  return rows.map((each) => each.id);
}
