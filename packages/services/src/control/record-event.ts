import type { Tx } from "@fairlead/db";
import { type Event, newId } from "@fairlead/domain";
import { appendFeed } from "./append-feed.sql.ts";

/** recordEvent writes what a person should be able to read later, and tells the live streams. */
export async function recordEvent(tx: Tx, organizationId: string, event: Omit<Event, "id">): Promise<void> {
  await tx.event.create({ data: { ...event, id: newId("event", event.at), organizationId } });
  const { subjectKind, subjectId, clusterId } = event;
  await appendFeed(tx, organizationId, [{ subjectKind, subjectId, clusterId }]);
}
