import type { Tx } from "@fairlead/db";
import type { NodeAnnounced } from "@fairlead/domain/node";

const mostAlone = 100;

/** selectAnnounced counts a node's announcements by state, and finds those that no other node of its cluster offers. */
export async function selectAnnounced(tx: Tx, nodeId: string): Promise<NodeAnnounced> {
  const [counts] = await tx.$queryRaw<Omit<NodeAnnounced, "alone" | "aloneCount">[]>`
    SELECT (count(*) FILTER (WHERE announced.state = 'offered'))::int AS offered,
      (count(*) FILTER (WHERE announced.state = 'draining'))::int AS draining,
      (count(*) FILTER (WHERE announced.state = 'withdrawn'))::int AS withdrawn
    FROM announcement announced JOIN agent a ON a.id = announced.agent_id AND a.revoked_at IS NULL WHERE a.node_id = ${nodeId}`;
  const alone = await tx.$queryRaw<{ prefix: string }[]>`
    SELECT DISTINCT host(own.prefix) || '/' || masklen(own.prefix) AS prefix
    FROM announcement own JOIN agent a ON a.id = own.agent_id AND a.revoked_at IS NULL
    WHERE a.node_id = ${nodeId} AND own.state = 'offered' AND NOT EXISTS (
      SELECT 1 FROM announcement announced JOIN agent b ON b.id = announced.agent_id AND b.revoked_at IS NULL
      WHERE announced.cluster_id = own.cluster_id AND announced.prefix = own.prefix AND announced.state = 'offered' AND b.node_id <> a.node_id)
    ORDER BY prefix LIMIT ${mostAlone}`;
  const prefixes = alone.map((each) => each.prefix);
  return { offered: 0, draining: 0, withdrawn: 0, ...counts, alone: prefixes, aloneCount: prefixes.length };
}
