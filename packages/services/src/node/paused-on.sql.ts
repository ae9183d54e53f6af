import type { Tx } from "@fairlead/db";

/** selectPausedOn returns the names of the paused exposures with a replica on a node. */
export async function selectPausedOn(tx: Tx, nodeId: string): Promise<string[]> {
  const rows = await tx.$queryRaw<{ name: string }[]>`
    SELECT DISTINCT e.name FROM exposure e JOIN load_balancer l ON l.exposure_id = e.id
    JOIN replica r ON r.load_balancer_id = l.id
    WHERE r.node_id = ${nodeId} AND e.paused_at IS NOT NULL ORDER BY e.name`;
  return rows.map((each) => each.name);
}
