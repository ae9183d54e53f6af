import type { Tx } from "@fairlead/db";
import type { FeedEntry } from "@fairlead/domain/event";

export const feedChannel = "fairlead_feed";

/**
 * appendFeed notifies live streams that an object changed. A pointer only: clients read the object with their own
 * permissions. A change of an agent is also one of its node.
 */
export async function appendFeed(tx: Tx, organizationId: string, entries: FeedEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await tx.$executeRaw`
    WITH entry AS (
      SELECT * FROM unnest(
        ${entries.map((entry) => entry.clusterId)}::text[], ${entries.map((entry) => entry.subjectKind)}::text[], ${entries.map((entry) => entry.subjectId)}::text[]
      ) AS given (cluster_id, kind, id)
    ), changed_node AS (
      SELECT DISTINCT entry.cluster_id, 'node', agent.node_id AS id FROM entry
      JOIN agent ON agent.id = entry.id AND entry.kind = 'agent' AND agent.organization_id = ${organizationId}
      WHERE NOT EXISTS (SELECT FROM entry AS other WHERE other.kind = 'node' AND other.id = agent.node_id)
    ), appended AS (
      INSERT INTO feed_entry (organization_id, cluster_id, subject_kind, subject_id)
      SELECT ${organizationId}, * FROM (SELECT * FROM entry UNION ALL SELECT * FROM changed_node) AS changed
    ) SELECT pg_notify(${feedChannel}, ${organizationId})`;
}
