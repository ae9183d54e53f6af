import type { SessionBackend } from "@fairlead/domain/exposure";
import type { StatusLook } from "@/components/ui/status/status.ts";

type Tickets = SessionBackend["tickets"];

/** Whether clients of a backend can return by ticket. */
export const ticketLooks: Record<Tickets, StatusLook> = {
  stable: { word: "Stable", shape: "disc", tone: "good" },
  random: { word: "Random", shape: "triangle", tone: "warn" },
  none: { word: "No tickets", shape: "ring", tone: "silent" },
  failed: { word: "Failed", shape: "square", tone: "bad" },
  unknown: { word: "Unknown", shape: "ring", tone: "silent" },
};

const meanings: Record<Tickets, string> = {
  stable: "",
  random: "Its tickets don't start with the name of their key, so its clients can't return by ticket.",
  none: "It sends no tickets. Its clients return by session id, if it has a cache of sessions.",
  failed: "The TLS handshake to learn the name of its ticket key failed.",
  unknown: "No replica has learned its ticket key yet.",
};

/** describeTickets returns why clients of a backend can't return by ticket; empty if they can. */
export function describeTickets({
  tickets,
  ticketsMessage,
}: Pick<SessionBackend, "tickets" | "ticketsMessage">): string {
  return ticketsMessage || meanings[tickets];
}

/** shortName shortens the name of a key to what usually differs between keys. */
export function shortName(name: string): string {
  return name.length > 12 ? `${name.slice(0, 12)}…` : name;
}
