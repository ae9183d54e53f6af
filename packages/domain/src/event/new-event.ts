import type { Event } from "./event.ts";
import { type EventReason, type SettledReason, severityOf } from "./reasons.ts";

/** EventContent is the reason and the message. The severity is set only if the reason doesn't determine it. */
export type EventContent =
  | { reason: SettledReason; message: string }
  | { reason: Exclude<EventReason, SettledReason>; message: string; severity: Event["severity"] };

/** NewEvent is an event that the control plane records. */
export type NewEvent = Omit<Event, "id" | "severity" | "reason" | "message"> & EventContent;

/** toEvent gives an event the severity of its reason. */
export function toEvent<Content extends EventContent>(content: Content): Content & Pick<Event, "severity"> {
  return { ...content, severity: "severity" in content ? content.severity : severityOf(content.reason) };
}
