import type { Tx } from "@fairlead/db";

export type LockedNode = { organizationId: string; clusterId: string; settings: unknown };

export async function lockNode(tx: Tx, nodeId: string): Promise<LockedNode | null> {
  const [row] = await tx.$queryRaw<LockedNode[]>`
    SELECT organization_id AS "organizationId", cluster_id AS "clusterId", settings FROM node WHERE id = ${nodeId} FOR UPDATE`;
  return row ?? null;
}

/**
 * storeNodeConfig replaces an agent's config if it is another one, and answers whether it is. The row's lock orders
 * the revisions of one agent, so there is no counter with gaps that an agent could step over.
 */
export async function storeNodeConfig(
  tx: Tx,
  {
    agentId,
    nodeId,
    digest,
    config,
    now,
  }: { agentId: string; nodeId: string; digest: string; config: string; now: Date },
): Promise<boolean> {
  const count = await tx.$executeRaw`
    INSERT INTO node_config (agent_id, node_id, revision, digest, config, compiled_at)
    VALUES (${agentId}, ${nodeId}, 1, ${digest}, ${config}::jsonb, ${now})
    ON CONFLICT (agent_id) DO UPDATE
    SET revision = node_config.revision + 1, node_id = excluded.node_id, digest = excluded.digest,
        config = excluded.config, compiled_at = excluded.compiled_at
    WHERE node_config.digest <> excluded.digest`;
  return count > 0;
}
