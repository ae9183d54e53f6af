import type { Tx } from "@fairlead/db";
import { dampenEvents, type Event, flapWindowMs } from "@fairlead/domain";
import { recordEvent } from "./record-event.ts";

const mostRead = 20;

/** tellEvent records an event unless the same has been told too often lately: what flaps is told as flapping, once. */
export async function tellEvent(tx: Tx, organizationId: string, event: Omit<Event, "id">): Promise<void> {
  const flapping = `${event.reason}Flapping`;
  const recent = await tx.event.findMany({
    where: {
      organizationId,
      subjectId: event.subjectId,
      reason: { in: [event.reason, flapping] },
      at: { gt: new Date(event.at.getTime() - flapWindowMs) },
    },
    orderBy: { at: "desc" },
    take: mostRead,
    select: { at: true, reason: true },
  });
  const earlier = recent.filter((each) => each.reason === event.reason).map((each) => each.at);
  const flappingToldAt = recent.find((each) => each.reason === flapping)?.at ?? null;
  const plan = dampenEvents(earlier, flappingToldAt, event.at);
  if (plan === "tell") await recordEvent(tx, organizationId, event);
  if (plan === "tell-flapping")
    await recordEvent(tx, organizationId, {
      ...event,
      severity: event.severity === "info" ? "warning" : event.severity,
      reason: flapping,
      message: `${event.message} It keeps coming back, so it is not told again for ${flapWindowMs / 60_000} minutes.`,
    });
}
