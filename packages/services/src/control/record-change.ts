import type { Tx } from "@fairlead/db";
import { appendFeed } from "./append-feed.sql.ts";
import { type Author, type NewAuditEntry, recordAuditEntry } from "./record-audit-entry.ts";

export type RecordedChange = NewAuditEntry & { clusterId: string | null };

/** recordChange writes the audit entry of a change and notifies live streams, in the transaction of the change. */
export async function recordChange(tx: Tx, ctx: Author, change: RecordedChange): Promise<void> {
  await recordAuditEntry(tx, ctx, change);
  const { subjectKind, subjectId, clusterId } = change;
  await appendFeed(tx, ctx.organizationId, [{ subjectKind, subjectId, clusterId }]);
}
