import type { Tx } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import {
  dampenEvents,
  type Event,
  flappingReason,
  flapWindowMs,
  isNewsByMessage,
  type NewEvent,
  toEvent,
} from "@fairlead/domain/event";
import { appendFeed } from "./append-feed.sql.ts";
import { type RecentEvent, selectRecentEvents } from "./recent-events.sql.ts";

export type OrganizationEvent = Omit<Event, "id"> & { organizationId: string };

/**
 * DampedEvent may have a source, with which its message begins: events of different sources are different events even
 * with the same reason. A node has several agents.
 */
type DampedEvent = OrganizationEvent & { source?: string };

/**
 * recordDampedEvent records an event unless the same was recorded too often lately: a flapping event is recorded as
 * flapping, once.
 */
export async function recordDampedEvent(tx: Tx, organizationId: string, event: NewEvent): Promise<void> {
  const { subjectKind, subjectId, clusterId } = event;
  if ((await recordDampedEvents(tx, [{ ...toEvent(event), organizationId }])) === 0) return;
  await appendFeed(tx, organizationId, [{ subjectKind, subjectId, clusterId }]);
}

/**
 * recordDampedEvents does so for many at once, and returns how many were recorded. Notifying live streams is left to
 * the caller. byMessage means that different messages are different events even with the same reason.
 */
export async function recordDampedEvents(
  tx: Tx,
  events: readonly DampedEvent[],
  { byMessage = false }: { byMessage?: boolean } = {},
): Promise<number> {
  if (events.length === 0) return 0;
  const criteria = events.map((each) => ({
    ...each,
    message: byMessage || isNewsByMessage(each.reason) ? each.message : (each.source ?? null),
  }));
  const stored = Map.groupBy(await selectRecentEvents(tx, criteria), (each) => each.index);
  const recorded: OrganizationEvent[] = [];
  const seen = new Map<string, RecentEvent[]>();
  for (const [index, { source: _, ...event }] of events.entries()) {
    // Events of this very batch count too.
    const key = [event.organizationId, event.subjectId, event.reason, criteria[index]?.message].join("\n");
    const recent = seen.get(key) ?? stored.get(index) ?? [];
    seen.set(key, recent);
    const planned = plan(event, recent);
    if (!planned) continue;
    recorded.push(planned);
    recent.push({ index, at: event.at, isFlapping: planned.reason !== event.reason });
  }
  await tx.event.createMany({ data: recorded.map((each) => ({ ...each, id: newId("event", each.at) })) });
  return recorded.length;
}

function plan(event: OrganizationEvent, recent: readonly RecentEvent[]): OrganizationEvent | null {
  const earlier = recent.filter((each) => !each.isFlapping).map((each) => each.at);
  const flappingRecordedAt = recent.find((each) => each.isFlapping)?.at ?? null;
  const decided = dampenEvents(earlier, flappingRecordedAt, event.at);
  if (decided === "hold") return null;
  if (decided === "record") return event;
  return {
    ...event,
    severity: event.severity === "info" ? "warning" : event.severity,
    reason: flappingReason(event.reason),
    message: `${event.message} It repeats, so it is not recorded again for ${flapWindowMs / 60_000} minutes.`,
  };
}
