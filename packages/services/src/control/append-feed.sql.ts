import type { Tx } from "@fairlead/db";
import type { FeedEntry } from "@fairlead/domain/event";

export const feedChannel = "fairlead_feed";

/**
 * appendFeed notifies live streams that an object changed. A pointer only: clients read the object with their own
 * permissions.
 */
export async function appendFeed(tx: Tx, organizationId: string, entries: FeedEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await tx.$executeRaw`
    WITH appended AS (
      INSERT INTO feed_entry (organization_id, cluster_id, subject_kind, subject_id)
      SELECT ${organizationId}, * FROM unnest(
        ${entries.map((entry) => entry.clusterId)}::text[], ${entries.map((entry) => entry.subjectKind)}::text[], ${entries.map((entry) => entry.subjectId)}::text[])
    ) SELECT pg_notify(${feedChannel}, ${organizationId})`;
}
