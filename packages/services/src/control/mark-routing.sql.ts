import type { Tx } from "@fairlead/db";
import { markManyDirty } from "./mark-dirty.sql.ts";

/** markRouting marks the nodes that accept the prefixes of the cluster's pools. */
export async function markRouting(tx: Tx, clusterId: string): Promise<void> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT n.id FROM node n JOIN agent a ON a.node_id = n.id AND a.revoked_at IS NULL
    WHERE n.cluster_id = ${clusterId} AND a.roles && ARRAY['reflector', 'router']`;
  await markManyDirty(
    tx,
    "node",
    rows.map((each) => each.id),
    { urgent: true },
  );
}
