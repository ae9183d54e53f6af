import type { EventReason } from "../event/reasons.ts";
import { currentEpoch, laggingMembers, type TicketPhase, type TicketRotation } from "./ticket-rotation.ts";

type TicketReason = Extract<EventReason, `TicketKeys${string}`>;

/** isTicketRotationDue reports whether the next rotation starts: the one before ended long enough ago, and all have its keys. */
export function isTicketRotationDue(rotation: TicketRotation, everyMs: number, now: Date): boolean {
  if (rotation.phase !== "idle" || laggingMembers(rotation).length > 0) return false;
  if (!rotation.members.some((each) => each.kind === "server")) return false;
  return now.getTime() - rotation.since.getTime() >= everyMs;
}

/** describeTicketStep is the event of a new phase; null if it is the same one. */
export function describeTicketStep(
  before: TicketRotation | null,
  after: TicketRotation,
): { reason: TicketReason; message: string } | null {
  const [current, other] = [currentEpoch(after), after.epochs[1] ?? 0];
  if (before === null)
    return {
      reason: "TicketKeysCreated",
      message: `Ticket keys of epoch ${current} are created, and sent to servers.`,
    };
  if (before.phase === after.phase) return null;
  const servers = after.members.filter((each) => each.kind === "server").length;
  const all = `${servers} ${servers === 1 ? "server" : "servers"}`;
  switch (after.phase) {
    case "adding":
      return {
        reason: "TicketKeysAdding",
        message: `A rotation of ticket keys starts: ${all} accept tickets of epoch ${other} next to those of epoch ${current}.`,
      };
    case "switching":
      if (before.phase === "retiring")
        return {
          reason: "TicketKeysInUse",
          message: `A server may still encrypt with the ticket key of epoch ${other}, so that is kept until all have switched again.`,
        };
      return {
        reason: "TicketKeysSwitching",
        message: `All servers and replicas have the ticket keys of epoch ${current}: servers encrypt with these from now on.`,
      };
    case "retiring":
      return {
        reason: "TicketKeysRetiring",
        message: `All servers encrypt with the ticket keys of epoch ${current}. Those of epoch ${other} are accepted until ${instant(after.dropAt)}.`,
      };
    case "idle":
      return {
        reason: "TicketKeysDropped",
        message: `The rotation of ticket keys is complete: servers have those of epoch ${current} only.`,
      };
    default:
      return after.phase satisfies never;
  }
}

/** ticketPhaseFacts are what happens in a phase, and what ends it. */
export const ticketPhaseFacts: Record<TicketPhase, { title: string; summary: string }> = {
  idle: { title: "Idle", summary: "No rotation is running." },
  adding: { title: "Adding", summary: "Servers accept the next epoch, and replicas get its names." },
  switching: { title: "Switching", summary: "Servers encrypt with the next epoch." },
  retiring: { title: "Retiring", summary: "The last tickets of the former epoch expire." },
};

/** To the minute, because the text doesn't change with the clock. */
function instant(at: Date | null): string {
  return at === null ? "later" : `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
