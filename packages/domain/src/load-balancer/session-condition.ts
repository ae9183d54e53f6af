import type { ObservedExposure } from "../exposure/exposure-state.ts";
import type { SessionFallback } from "../exposure/session.ts";
import { describeOutdated, type OutdatedAgent } from "./older-agents.ts";

/** PlacesBySession is what is known of how connections are placed by TLS session: of replicas that report, and of backends. */
export type PlacesBySession = {
  replicas: readonly { nodeName: string | null; problem: string | null; fallback: SessionFallback | null }[];
  backends: readonly { instance: string; takes: boolean; message: string }[];
  /** Agents whose version lacks what the exposure may use. */
  outdated?: readonly OutdatedAgent[];
};

type SessionCondition = ObservedExposure["conditions"][number];

/** sessionCondition is the condition of an exposure whose connections should be placed by TLS session. */
export function sessionCondition({ outdated = [], ...places }: PlacesBySession): SessionCondition {
  const condition = conditionOf(places);
  return { ...condition, message: `${condition.message} ${describeOutdated(outdated)}`.trim() };
}

function conditionOf({ replicas, backends }: Omit<PlacesBySession, "outdated">): SessionCondition {
  const type = "BySession";
  const known = replicas.filter((each) => each.problem !== null);
  const lacking = backends.filter((each) => !each.takes);
  const [first] = lacking;
  const unknown = { type, status: "unknown", reason: "NotReported" } as const;
  if (backends.length === 0) return { ...unknown, message: "No instance of the workload is ready." };
  const proxied = known.filter((each) => each.fallback === "proxy");
  if (proxied.length > 0 && proxied.length === known.length) {
    const message = `Replicas carry the connections by a proxy. ${proxied[0]?.problem}`;
    return { type, status: "false", reason: "ByProxy", message };
  }
  if (first && lacking.length === backends.length) {
    const message = `Each connection is placed on its own, as no backend takes connections by TLS session. ${first.instance}: ${first.message}`;
    return { type, status: "false", reason: "NotBySession", message };
  }
  if (known.length === 0) return { ...unknown, message: "No replica has reported yet how it places connections." };
  const hindering = known.filter((each) => each.problem !== "");
  const hindered = hindering.find((each) => each.fallback !== "proxy") ?? hindering[0];
  if (hindered) {
    const how = hindered.fallback === "proxy" ? "carries connections by a proxy" : "places each connection on its own";
    const message = `The replica on ${hindered.nodeName} ${how}: ${hindered.problem}`;
    return { type, status: "false", reason: hindered.fallback === "proxy" ? "ByProxy" : "NotBySession", message };
  }
  if (first) {
    const message = `${lacking.length} of ${backends.length} backends can't take connections by TLS session, such as ${first.instance}: ${first.message}`;
    return { type, status: "false", reason: "BackendsNotBySession", message };
  }
  return { type, status: "true", reason: "BySession", message: "Connections are placed by TLS session." };
}
