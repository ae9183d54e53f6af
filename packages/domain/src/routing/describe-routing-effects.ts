import { differs } from "../canonical-json.ts";
import type { ShownClusterRouting, UpdateClusterRouting } from "./cluster-routing.ts";

/** What removing the routing of a cluster does. */
export const routingRemoved =
  "All BGP sessions end, and their routes are withdrawn. Addresses that clients reach by these routes become unreachable, and connections break.";

type Change = { before: ShownClusterRouting; after: UpdateClusterRouting };

/** What the change of one field does, in sentences; empty if that field didn't change. sessions: whether they end, maybe to restart. */
type Effect = { sessions: "end" | "stay"; list: (change: Change) => string[] };

/**
 * describeRoutingEffects lists what a change of a cluster's routing does to BGP sessions and routes. Agents restart a session
 * when a setting of its peer changes, and all of their sessions when their AS changes.
 */
export function describeRoutingEffects(before: ShownClusterRouting, after: UpdateClusterRouting | null): string[] {
  if (after === null) return [routingRemoved];
  const effects = Object.values(effectsByField).flatMap((effect) => {
    const texts = effect?.list({ before, after }) ?? [];
    return texts.map((text) => ({ text, sessions: effect?.sessions }));
  });
  const texts = effects.map(({ text }) => text);
  return effects.some(({ sessions }) => sessions === "end") ? [...texts, whileDown(after)] : texts;
}

/** An entry for each field: null for one that affects neither sessions nor routes. A new field without an entry is a type error. */
const effectsByField: { [Field in keyof UpdateClusterRouting]-?: Effect | null } = {
  asn: restartsAll("asn", "AS", () => "External peers must expect the new AS."),
  password: {
    sessions: "end",
    list({ before, after: { password } }) {
      if (password === undefined || (password === null && !before.hasPassword)) return [];
      const theirs = password === null ? "remove theirs" : "have the same one";
      return [`Password: all BGP sessions restart. External peers must ${theirs}.`];
    },
  },
  holdSeconds: restartsAll("holdSeconds", "Hold time"),
  keepaliveSeconds: restartsAll("keepaliveSeconds", "Keepalive"),
  detection: restartsAll("detection", "BFD interval", ({ detection }) => detection && "Every peer must support BFD."),
  nearOnly: restartsAll(
    "nearOnly",
    "Direct neighbors only",
    ({ nearOnly }) => nearOnly && "Every peer must enable it.",
  ),
  balancers: {
    sessions: "end",
    list: ({ before, after }) =>
      before.balancers
        .filter((network) => !after.balancers.includes(network))
        .map((network) => `Balancer networks: sessions with balancers in ${network} end.`),
  },
  reflectors: {
    sessions: "end",
    list({ before, after }) {
      const [had, has] = [before.reflectors.length > 0, after.reflectors.length > 0];
      if (had === has) return sessionsOf("Reflectors", before.reflectors, after.reflectors);
      return [`Reflectors: all BGP sessions end. Balancers connect to the ${has ? "reflectors" : "routers"} instead.`];
    },
  },
  routers: { sessions: "end", list: ({ before, after }) => sessionsOf("Routers", before.routers, after.routers) },
  mostRoutes: {
    sessions: "end",
    list: ({ before, after }) =>
      before.mostRoutes === after.mostRoutes
        ? []
        : ["Maximum routes: sessions with balancers restart. One with more routes is closed again."],
  },
  preference: sendsAgain("preference", "Local preference"),
  med: sendsAgain("med", "MED"),
  communities: sendsAgain("communities", "Communities"),
  // These apply to later drains and failures, and to the configurations of external routers.
  drainSeconds: null,
  keepSeconds: null,
  settleSeconds: null,
  mostNextHops: null,
};

type Shared = keyof ShownClusterRouting & keyof UpdateClusterRouting;

function restartsAll(
  field: Shared,
  label: string,
  requires: (after: UpdateClusterRouting) => string | false | null = () => null,
): Effect {
  return {
    sessions: "end",
    list: ({ before, after }) =>
      differs(before[field], after[field])
        ? [`${label}: all BGP sessions restart. ${requires(after) || ""}`.trimEnd()]
        : [],
  };
}

function sendsAgain(field: Shared, label: string): Effect {
  return {
    sessions: "stay",
    list: ({ before, after }) =>
      differs(before[field], after[field])
        ? [
            `${label}: routes are sent again in the running sessions. Routers may choose others, which moves connections.`,
          ]
        : [],
  };
}

type Peer = { name: string; address: string };

/** The name is the description of a peer in its session, so a new one restarts that too. */
function sessionsOf(label: string, before: readonly Peer[], after: readonly Peer[]): string[] {
  return before.flatMap((peer) => {
    const now = after.find(({ address }) => address === peer.address);
    if (!now) return [`${label}: sessions with ${peer.name} end.`];
    return differs(peer, now) ? [`${label}: sessions with ${peer.name} restart.`] : [];
  });
}

function whileDown({ keepSeconds }: UpdateClusterRouting): string {
  return `While a session is down, its routes are withdrawn, and connections may break. The routes return with the session. A Fairlead router that has lost all sessions keeps its routes for ${keepSeconds} seconds.`;
}
