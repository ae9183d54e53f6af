import type { Tx } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import { type NewEvent, toEvent } from "@fairlead/domain/event";
import { appendFeed } from "./append-feed.sql.ts";

/** recordEvent writes an event for users to read later, and notifies live streams. */
export async function recordEvent(tx: Tx, organizationId: string, event: NewEvent): Promise<void> {
  await tx.event.create({ data: { ...toEvent(event), id: newId("event", event.at), organizationId } });
  const { subjectKind, subjectId, clusterId } = event;
  await appendFeed(tx, organizationId, [{ subjectKind, subjectId, clusterId }]);
}
