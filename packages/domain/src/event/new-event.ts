import type { Event } from "./event.ts";
import { type EventReason, type SettledReason, severityOf } from "./reasons.ts";

/** EventContent is why and what; the severity is set only where the reason alone doesn't decide it. */
export type EventContent =
  | { reason: SettledReason; message: string }
  | { reason: Exclude<EventReason, SettledReason>; message: string; severity: Event["severity"] };

/** NewEvent is what the control plane itself records. */
export type NewEvent = Omit<Event, "id" | "severity" | "reason" | "message"> & EventContent;

/** toEvent gives an event the severity of its reason. */
export function toEvent<Told extends EventContent>(told: Told): Told & Pick<Event, "severity"> {
  return { ...told, severity: "severity" in told ? told.severity : severityOf(told.reason) };
}
