import type { Tx } from "@fairlead/db";

export type LockedNode = {
  name: string;
  organizationId: string;
  clusterId: string;
  settings: unknown;
  drainingSince: Date | null;
};

export async function lockNode(tx: Tx, nodeId: string): Promise<LockedNode | null> {
  const [row] = await tx.$queryRaw<LockedNode[]>`
    SELECT name, organization_id AS "organizationId", cluster_id AS "clusterId", settings, draining_since AS "drainingSince" FROM node WHERE id = ${nodeId} FOR UPDATE`;
  return row ?? null;
}

/**
 * storeNodeConfig replaces an agent's config if it changed, and returns whether it did. The row's lock orders the
 * revisions of one agent, so there are no gaps that an agent could skip. An agent that reports a revision which we
 * don't have, or another config under our revision, gets the same config under a revision that is new to it: an agent
 * applies nothing else.
 */
export async function storeNodeConfig(
  tx: Tx,
  {
    agentId,
    nodeId,
    digest,
    config,
    loadBalancerIds,
    now,
  }: { agentId: string; nodeId: string; digest: string; config: string; loadBalancerIds: string[]; now: Date },
): Promise<boolean> {
  const count = await tx.$executeRaw`
    INSERT INTO node_config AS kept (agent_id, node_id, revision, digest, config, load_balancer_ids, compiled_at)
    SELECT a.id, ${nodeId}, a.held_revision + 1, ${digest}, ${config}::jsonb, ${loadBalancerIds}::text[], ${now}::timestamptz FROM agent a WHERE a.id = ${agentId}
    ON CONFLICT (agent_id) DO UPDATE
    SET revision = greatest(kept.revision + 1, excluded.revision), node_id = excluded.node_id, digest = excluded.digest,
        config = excluded.config, load_balancer_ids = excluded.load_balancer_ids, compiled_at = excluded.compiled_at
    WHERE kept.digest <> excluded.digest OR excluded.revision > kept.revision + 1 OR EXISTS (
      SELECT 1 FROM node_status s WHERE s.agent_id = kept.agent_id AND s.observed_revision = kept.revision
        AND s.observed_digest NOT IN ('', kept.digest))`;
  return count > 0;
}
