import type { Tx } from "@fairlead/db";

/** selectPausedBalancers returns the load balancers of paused exposures that these agents have, or are placed to have. */
export async function selectPausedBalancers(tx: Tx, agentIds: readonly string[]): Promise<ReadonlySet<string>> {
  const ids = [...agentIds];
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT l.id FROM load_balancer l JOIN exposure e ON e.id = l.exposure_id
    WHERE e.paused_at IS NOT NULL AND l.id IN (
      SELECT load_balancer_id FROM replica WHERE agent_id = ANY(${ids}::text[])
      UNION SELECT unnest(load_balancer_ids) FROM node_config WHERE agent_id = ANY(${ids}::text[]))`;
  return new Set(rows.map((each) => each.id));
}
