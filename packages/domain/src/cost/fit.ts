import type { CapacityFigure, Constraint } from "./estimate.ts";
import type { Demand, Made, Offer } from "./offer.ts";
import type { TrafficProfile } from "./traffic-profile.ts";

/** figuresOf holds what is asked for against what is known to be carried, for all that the profile asks for. */
export function figuresOf({ limits }: Made, demand: Demand, offer: Offer): CapacityFigure[] {
  const { balancers } = demand;
  const asked = askedOf(demand, offer.layer);
  // Machines that are shared have their limits told for all balancers, those that are bought for each.
  const times = offer.addressesReplicas ? 1 : balancers;
  return limits.flatMap(({ most, ...limit }) => {
    const figure = asked.find(({ of }) => of === limit.of);
    return figure ? [{ ...limit, asked: figure.amount, most: most * times }] : [];
  });
}

type Asked = { of: CapacityFigure["of"]; amount: number };

/** askedOf names what the profile asks for. Live connections that only follow from a usual length are no demand. */
export function askedOf({ profile, peak }: Demand, layer: 4 | 7): Asked[] {
  const isLength = profile.activeConnections !== undefined || profile.connectionDurationSeconds !== undefined;
  const asked: Asked[] = [
    { of: "mbps", amount: peak.mbps },
    { of: "new-connections", amount: peak.newPerSecond },
    { of: "active-connections", amount: isLength ? peak.active : 0 },
    { of: "requests", amount: layer === 7 ? peak.requestsPerSecond : 0 },
  ];
  return asked.filter(({ amount }) => amount > 0);
}

/** whyNot names, in sentences, all that keeps an offer from being what was asked for; none when it is. */
export function whyNot(
  offer: Offer,
  profile: TrafficProfile,
  constraints: readonly Constraint[],
  figures: readonly CapacityFigure[],
): string[] {
  return [
    ...whyNotCarried(offer, profile),
    ...constraints.flatMap((constraint) => {
      const why = lackOf(offer, profile, constraint);
      return why ? [`It lacks ${wordsOf[constraint]}: ${why}.`] : [];
    }),
    ...figures
      .filter(({ asked, most }) => asked > most)
      .map(
        ({ of, asked, most, basis }) =>
          `It carries ${amount(most)} ${unitsOf[of]} (${basis}), not the ${amount(asked)} of the peak.`,
      ),
  ];
}

function whyNotCarried(offer: Offer, { protocol, tls, rulesPerRequest }: TrafficProfile): string[] {
  if (!offer.protocols.includes(protocol)) return [`It does not carry ${protocol}.`];
  if (!offer.tls.includes(tls)) return [tls === "terminate" ? "TLS can't end at it." : `It does not do TLS ${tls}.`];
  if (tls === "terminate" && protocol === "quic" && offer.layer === 4) return ["QUIC can't end at it."];
  if (rulesPerRequest > 0 && offer.layer === 4)
    return ["It works at layer 4 and reads no requests, so it can't evaluate rules."];
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
  "static-ip": "an address that stays",
  "no-lock-in": "a way elsewhere",
  "on-premises": "a place of one's own to run",
};

export const unitsOf: Record<CapacityFigure["of"], string> = {
  mbps: "Mbit/s",
  "new-connections": "new connections a second",
  "active-connections": "live connections",
  requests: "requests a second",
  latency: "ms",
};

/** amount writes a figure as short as it can be read. */
export function amount(value: number): string {
  const rounded = value >= 100 ? Math.round(value) : Number(value.toPrecision(3));
  return rounded.toLocaleString("en-US").replaceAll(",", " ");
}
