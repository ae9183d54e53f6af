import { amount, type CapacityFigure } from "../offers/capacity-figure.ts";
import type { Constraint } from "../offers/constraint.ts";
import type { Demand, Made, Offer } from "../offers/offer.ts";
import type { TrafficProfile } from "../traffic/traffic-profile.ts";

/** figuresOf compares the demand with the known limits, for everything in the profile. */
export function figuresOf({ limits }: Made, demand: Demand, offer: Offer): CapacityFigure[] {
  const times = timesOf(offer, demand);
  return limits.flatMap(({ limit, ...rest }) => {
    const required = amountOf(rest.of, demand, offer.layer);
    return required > 0 ? [{ ...rest, required, limit: rest.of === "latency" ? limit : limit * times }] : [];
  });
}

/** isEnough reports whether a limit meets the demand. For latency, lower is better. */
export function isEnough({ of, required, limit }: Pick<CapacityFigure, "of" | "required" | "limit">): boolean {
  return of === "latency" ? limit <= required : required <= limit;
}

/** isOver reports whether any limit is exceeded. It is fast, for use at many amounts of traffic. Added latency doesn't depend on traffic. */
export function isOver({ limits }: Made, demand: Demand, offer: Offer): boolean {
  const times = timesOf(offer, demand);
  for (const { of, limit } of limits) {
    if (of === "latency" ? isSlow(limit, demand) : amountOf(of, demand, offer.layer) > limit * times) return true;
  }
  return false;
}

function isSlow(ms: number, { profile }: Demand): boolean {
  return profile.addedMs !== undefined && ms > profile.addedMs;
}

/** timesOf is the factor of limits: those of shared machines are for all balancers, those of bought balancers for each. */
function timesOf({ addressesReplicas }: Offer, { balancers }: Demand): number {
  return addressesReplicas ? 1 : balancers;
}

/** amountOf is the demand. Live connections that only result from a default duration don't count. */
function amountOf(of: CapacityFigure["of"], { profile, peak }: Demand, layer: 4 | 7): number {
  switch (of) {
    case "mbps":
      return peak.mbps;
    case "new-connections":
      return peak.newPerSecond;
    case "active-connections":
      return hasLength(profile) ? peak.active : 0;
    case "requests":
      return layer === 7 ? peak.requestsPerSecond : 0;
    case "latency":
      return profile.addedMs ?? 0;
    default:
      return of satisfies never;
  }
}

function hasLength({ activeConnections, connectionDurationSeconds }: TrafficProfile): boolean {
  return activeConnections !== undefined || connectionDurationSeconds !== undefined;
}

const figures = ["mbps", "new-connections", "active-connections", "requests", "latency"] as const;

/** demandedOf lists the dimensions in which the profile has a demand. */
export function demandedOf(demand: Demand, layer: 4 | 7): CapacityFigure["of"][] {
  return figures.filter((of) => amountOf(of, demand, layer) > 0);
}

/** whyNot lists, in sentences, why an offer doesn't fit; empty if it fits. */
export function whyNot(
  offer: Offer,
  profile: TrafficProfile,
  constraints: readonly Constraint[],
  figures: readonly CapacityFigure[],
): string[] {
  return [
    ...(offer.otherwise ? [offer.otherwise] : []),
    ...whyNotCarried(offer, profile),
    ...constraints.flatMap((constraint) => {
      const why = lackOf(offer, profile, constraint);
      return why ? [`It lacks ${wordsOf[constraint]}: ${why}.`] : [];
    }),
    ...figures
      .filter((figure) => !isEnough(figure))
      .map(({ of, required, limit, basis }) =>
        of === "latency"
          ? `It adds ${amount(limit)} ms (${basisWords[basis]}); the limit is ${amount(required)} ms.`
          : `Its capacity is ${amount(limit)} ${unitsOf[of]} (${basisWords[basis]}); the peak needs ${amount(required)}.`,
      ),
  ];
}

function whyNotCarried(offer: Offer, { protocol, tls, rulesPerRequest, listeners }: TrafficProfile): string[] {
  if (!offer.protocols.includes(protocol)) return [`It does not carry ${protocol}.`];
  if (!offer.tls.includes(tls))
    return [tls === "terminate" ? "It can't terminate TLS." : `It does not support TLS ${tls}.`];
  if (tls === "terminate" && protocol === "quic" && offer.layer === 4) return ["It can't terminate QUIC."];
  if (rulesPerRequest > 0 && tls === "passthrough")
    return ["TLS passes through it, so it can't read requests for rules."];
  if (rulesPerRequest > 0 && offer.layer === 4)
    return ["It works at layer 4 and reads no requests, so it can't evaluate rules."];
  if (offer.mostListeners && listeners > offer.mostListeners)
    return [`It listens on ${offer.mostListeners} ports at most, not on the ${listeners} requested.`];
  return [];
}

function lackOf(offer: Offer, profile: TrafficProfile, constraint: Constraint): string | undefined {
  if (constraint === "per-replica-addresses" && profile.exposedAs === "per-replica") return undefined;
  return offer.lacks[constraint];
}

const wordsOf: Record<Constraint, string> = {
  "session-persistence": "session persistence",
  "client-source-address": "the client's source address",
  "per-replica-addresses": "an address for each replica",
  "static-ip": "a static address",
  "no-lock-in": "portability",
  "on-premises": "operation on premises",
};

/** The basis of a figure, in words. */
export const basisWords: Record<CapacityFigure["basis"], string> = {
  measured: "measured",
  scaled: "measured on another machine, by cores",
  published: "published",
  assumed: "assumed",
};

export const unitsOf: Record<CapacityFigure["of"], string> = {
  mbps: "Mbit/s",
  "new-connections": "new connections a second",
  "active-connections": "live connections",
  requests: "requests a second",
  latency: "ms",
};
