import { invalid } from "@fairlead/domain";
import { isAddress, isPrefix } from "@fairlead/domain/address";
import {
  type Announcement,
  announcementStates,
  type BgpSession,
  bgpSessionStates,
  type RouteStep,
  routeSteps,
} from "@fairlead/domain/routing";
import { clockToleranceMs } from "../judge-clock.ts";
import { storable } from "../storable.ts";
import { checkTransitions, type ReportedTransition, type WireTransition } from "./check-transitions.ts";

/** BgpReport is the BGP state of an agent: its sessions, its announcements, its kernel's routes. */
export type BgpReport = {
  address: string;
  asn: number;
  routerId: string;
  sessions: ReportedBgpSession[];
  announcements: ReportedAnnouncement[];
  routes: ReportedRoute[];
  routesLeftOut: number;
  /** Steps of updates since the previous report. */
  updates: ReportedUpdate[];
  /** The transitions of sessions and announcements since the previous report, in order. */
  transitions: ReportedTransition[];
};

export type ReportedUpdate = {
  prefix: string;
  nextHop: string;
  isWithdrawal: boolean;
  step: RouteStep;
  /** In microseconds since 1970, by the agent's clock: whole phases take less than a millisecond. */
  atUs: number;
};

export type ReportedBgpSession = Pick<
  BgpSession,
  | "peerAddress"
  | "peerAsn"
  | "peerRouterId"
  | "state"
  | "stateSince"
  | "lastError"
  | "holdSeconds"
  | "keepaliveSeconds"
  | "detectIntervalMs"
  | "detectMultiplier"
  | "messagesIn"
  | "messagesOut"
  | "routesReceived"
  | "routesAccepted"
  | "routesAdvertised"
  | "establishedCount"
  | "detection"
  | "isFull"
>;

export type ReportedAnnouncement = Pick<Announcement, "prefix" | "nextHop" | "state" | "stateSince" | "reason"> & {
  loadBalancerId: string;
};

export type ReportedRoute = {
  prefix: string;
  since: Date;
  /** When its next hops became these. */
  changedAt: Date;
  nextHops: { address: string; weight: number; since: Date }[];
};

/** As received: it may contain unknown words, and times may be missing. */
export type WireBgp = Omit<BgpReport, "sessions" | "announcements" | "routes" | "updates" | "transitions"> & {
  sessions: (Omit<ReportedBgpSession, "state"> & { state: string })[];
  announcements: (Omit<ReportedAnnouncement, "state" | "stateSince"> & { state: string; stateSince: Date | null })[];
  routes: {
    prefix: string;
    since: Date | null;
    changedAt: Date | null;
    nextHops: { address: string; weight: number; since: Date | null }[];
  }[];
  updates: (Omit<ReportedUpdate, "step"> & { step: string })[];
  transitions: WireTransition[];
};

export type BgpLimits = { routes: number; updates: number; transitions: number };

const most = {
  sessions: 2_000,
  announcements: 10_000,
  nextHops: 1_024,
  word: 64,
  /** Of a step: an agent may have been without a control plane for long. */
  agedMs: 24 * 3_600_000,
} as const;

/** checkBgp leaves out what can't be stored; only a report that is too large is refused. */
export function checkBgp(bgp: WireBgp | null, limits: BgpLimits, now: Date): BgpReport | null {
  if (!bgp) return null;
  const counts = { sessions: most.sessions, announcements: most.announcements, ...limits };
  for (const part of ["sessions", "announcements", "routes", "updates", "transitions"] as const)
    if (bgp[part].length > counts[part])
      throw invalid(
        ["bgp", part],
        `A report may contain ${counts[part]} ${part}, this one contains ${bgp[part].length}.`,
      );
  const at = (since: Date | null) => (since && since < now ? since : now);
  return {
    address: isAddress(bgp.address) ? bgp.address : "",
    asn: bgp.asn,
    routerId: word(bgp.routerId),
    routesLeftOut: count(bgp.routesLeftOut),
    sessions: each(bgp.sessions, (one) => one.peerAddress).flatMap((one) => {
      const state = bgpSessionStates.find((known) => known === one.state);
      if (!state || !isAddress(one.peerAddress)) return [];
      return {
        ...one,
        state,
        stateSince: one.stateSince && at(one.stateSince),
        peerRouterId: word(one.peerRouterId),
        lastError: storable(one.lastError),
        detection: word(one.detection),
        routesReceived: count(one.routesReceived),
        routesAccepted: count(one.routesAccepted),
        routesAdvertised: count(one.routesAdvertised),
        establishedCount: count(one.establishedCount),
        messagesIn: count(one.messagesIn),
        messagesOut: count(one.messagesOut),
      };
    }),
    announcements: each(bgp.announcements, (one) => one.prefix).flatMap((one) => {
      const state = announcementStates.find((known) => known === one.state);
      if (!state || !isPrefix(one.prefix) || !isAddress(one.nextHop)) return [];
      const { loadBalancerId, reason, stateSince } = one;
      return {
        ...one,
        state,
        stateSince: at(stateSince),
        reason: storable(reason),
        loadBalancerId: word(loadBalancerId),
      };
    }),
    routes: each(bgp.routes, (one) => one.prefix)
      .filter((one) => isPrefix(one.prefix))
      .map(({ prefix, since, changedAt, nextHops }) => ({
        prefix,
        since: at(since),
        changedAt: at(changedAt ?? newest([since, ...nextHops.map((hop) => hop.since)])),
        nextHops: nextHops
          .slice(0, most.nextHops)
          .filter((hop) => isAddress(hop.address))
          .map((hop) => ({ ...hop, since: at(hop.since) })),
      })),
    updates: bgp.updates.flatMap((one) => {
      const step = routeSteps.find((known) => known === one.step);
      const ageMs = now.getTime() - one.atUs / 1_000;
      const isNear = ageMs > -clockToleranceMs && ageMs < most.agedMs;
      return step && isNear && isPrefix(one.prefix) && isAddress(one.nextHop) ? [{ ...one, step }] : [];
    }),
    transitions: checkTransitions(bgp.transitions, now),
  };
}

/** A fallback where the agent doesn't send when a route changed: a removed hop leaves no trace here. */
function newest(moments: readonly (Date | null)[]): Date | null {
  return moments.reduce((latest, each) => (each && (!latest || each > latest) ? each : latest), null);
}

/** Of two with the same name the last counts. */
function each<Item>(items: readonly Item[], nameOf: (item: Item) => string): Item[] {
  return [...new Map(items.map((item) => [nameOf(item), item])).values()];
}

const count = (value: number): number => Math.min(Math.max(0, Math.floor(value)), Number.MAX_SAFE_INTEGER);
const word = (text: string): string => storable(text).slice(0, most.word);
