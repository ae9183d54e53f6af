import { type SessionFallback, sessionFallbacks } from "@fairlead/domain/exposure";
import type { ticketKinds } from "@fairlead/domain/load-balancer";
import { checkReachableAddress } from "../reachable-address.ts";
import { storable, storableRevision } from "../storable.ts";

/** ReportedSession is how a replica places the connections of a service by TLS session. */
export type ReportedSession = {
  /** Why it doesn't; empty if it does. */
  problem: string;
  /** What carries connections instead; null if they are placed by session. */
  fallback: SessionFallback | null;
  backends: ReportedTickets[];
  /** host:port where it receives messages of companions. */
  address: string;
  /** Of the managed names of ticket keys by which it places connections; 0 for none. */
  ticketRevision: number;
};

/** ReportedTickets is what a replica learned of a server's tickets. */
export type ReportedTickets = {
  id: string;
  tickets: (typeof ticketKinds)[number];
  message: string;
  /** In hexadecimal, the last seen first. */
  names: { name: string; since: Date | null; seen: Date | null }[];
  takes: boolean;
};

/** As received: it may contain unknown words. */
export type WireSession = Omit<ReportedSession, "backends" | "fallback"> & {
  fallback: string;
  backends: (Omit<ReportedTickets, "tickets"> & { tickets: string })[];
};

const most = { id: 64, names: 32, hexDigits: 64 } as const;

/** What agents call the kinds of tickets; an empty word is not known yet. */
const kindOf: Record<string, ReportedTickets["tickets"]> = {
  stable: "stable",
  random: "random",
  "no tickets": "none",
  failed: "failed",
};

/** checkSession makes the report of a service's sessions fit its columns. */
export function checkSession(session: WireSession, now: Date): ReportedSession {
  const { problem, fallback, backends, address, ticketRevision } = session;
  return {
    ticketRevision: storableRevision(ticketRevision),
    problem: storable(problem),
    fallback: fallbackOf(problem, fallback),
    address: checkReachableAddress(address),
    backends: backends.map(({ id, tickets, message, names, takes }) => ({
      id: storable(id).slice(0, most.id),
      tickets: kindOf[tickets] ?? "unknown",
      message: storable(message),
      takes,
      names: names
        .filter((each) => /^[0-9a-f]+$/.test(each.name) && each.name.length <= most.hexDigits)
        .slice(0, most.names)
        .map(({ name, since, seen }) => ({ name, since: notAfter(now, since), seen: notAfter(now, seen) })),
    })),
  };
}

/** Agents of earlier versions have one fallback, and don't report it. */
function fallbackOf(problem: string, reported: string): SessionFallback | null {
  if (problem === "") return null;
  return sessionFallbacks.find((each) => each === reported) ?? "plain";
}

/** The clock of an agent may be ahead. */
function notAfter(now: Date, at: Date | null): Date | null {
  if (at === null || Number.isNaN(at.getTime())) return null;
  return at < now ? at : now;
}

/** joinSessions merges those of several ports: a problem of one is one of all, and so are names that one lacks. */
export function joinSessions(sessions: readonly ReportedSession[]): ReportedSession | null {
  const [first] = sessions;
  if (!first) return null;
  const hindering = sessions.filter((each) => each.problem !== "");
  const hindered = hindering.find((each) => each.fallback === "plain") ?? hindering[0];
  const backends = new Map(sessions.flatMap((each) => each.backends.map((backend) => [backend.id, backend])));
  return {
    problem: hindered?.problem ?? "",
    fallback: hindered?.fallback ?? null,
    address: sessions.find((each) => each.address !== "")?.address ?? "",
    ticketRevision: Math.min(...sessions.map((each) => each.ticketRevision)),
    backends: [...backends.values()],
  };
}
