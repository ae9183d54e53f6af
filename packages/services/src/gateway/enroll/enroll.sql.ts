import type { Tx } from "@fairlead/db";
import type { NodeSettings } from "@fairlead/domain/node";

export type StoredToken = {
  id: string;
  organizationId: string;
  clusterId: string;
  secretHash: string;
  nodeName: string | null;
  createdBy: string;
  expiresAt: Date;
  usedAt: Date | null;
  agentId: string | null;
  isReusable: boolean;
  /** Empty: any. */
  roles: string[];
};

export async function lockToken(tx: Tx, id: string): Promise<StoredToken | null> {
  const [token] = await tx.$queryRaw<StoredToken[]>`
    SELECT id, organization_id AS "organizationId", cluster_id AS "clusterId", secret_hash AS "secretHash",
      node_name AS "nodeName", created_by AS "createdBy", expires_at AS "expiresAt", used_at AS "usedAt", agent_id AS "agentId",
      is_reusable AS "isReusable", roles
    FROM enrollment_token WHERE id = ${id} FOR UPDATE`;
  return token ?? null;
}

type NewNode = { id: string; organizationId: string; clusterId: string; name: string; settings: NodeSettings };

/** findOrCreateNode returns the node of that name and locks its row, so that enrolments for one node are serialised. */
export async function findOrCreateNode(tx: Tx, node: NewNode): Promise<{ id: string; name: string }> {
  await tx.$executeRaw`
    INSERT INTO node (id, organization_id, cluster_id, name, settings, updated_at)
    VALUES (${node.id}, ${node.organizationId}, ${node.clusterId}, ${node.name}, ${JSON.stringify(node.settings)}::jsonb, now())
    ON CONFLICT (cluster_id, name) DO NOTHING`;
  const [found] = await tx.$queryRaw<{ id: string; name: string }[]>`
    SELECT id, name FROM node WHERE cluster_id = ${node.clusterId} AND name = ${node.name} FOR UPDATE`;
  if (!found) throw new Error(`node ${node.name} vanished while an agent enrolled for it`);
  return found;
}

/**
 * selectOtherAgents returns the node's agents with any of these roles that are not revoked, and whether they report.
 */
export async function selectOtherAgents(
  tx: Tx,
  nodeId: string,
  roles: string[],
): Promise<{ id: string; speaks: boolean }[]> {
  return tx.$queryRaw<{ id: string; speaks: boolean }[]>`
    SELECT a.id, v.state IN ('in-sync', 'out-of-sync') AS speaks
    FROM agent a JOIN agent_view v ON v.id = a.id
    WHERE a.node_id = ${nodeId} AND a.revoked_at IS NULL AND a.roles && ${roles}::text[]
    ORDER BY a.id FOR UPDATE OF a`;
}
