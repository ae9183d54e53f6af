import { addresses, betweenZones, egress, paidByTime } from "./charges.ts";
import { type Engine, engines, type Known } from "./engines.ts";
import { type Machine, machines } from "./machines.ts";
import { type Demand, type Lacks, type Limit, type Made, MissingPrice, type Offer, type Prices } from "./offer.ts";
import type { Provider } from "./price-point.ts";

/** Place is where machines are rented, or stand, and what goes with them. */
export type Place = {
  provider: Provider;
  noMachine: string;
  /** The price of a machine's public address; null where it is part of the machine's. */
  ipv4: string | null;
  /** Each machine brings data of its own that needs no paying. */
  hasDataOfMachines?: boolean;
  paysBetweenZones?: boolean;
  lacks: Lacks;
};

const rented: Lacks = { "on-premises": "these machines stand in a provider's halls" };

const places: readonly Place[] = [
  {
    provider: "aws",
    noMachine: "There is no price of a machine in this region.",
    ipv4: "public-ipv4",
    paysBetweenZones: true,
    lacks: rented,
  },
  { provider: "gcp", noMachine: "There is no price of a machine in this region.", ipv4: "vm-ipv4", lacks: rented },
  {
    provider: "azure",
    noMachine: "There is no price of a machine in this region.",
    ipv4: "public-ipv4",
    lacks: rented,
  },
  {
    provider: "hetzner",
    noMachine: "There is no price of a machine in this region.",
    ipv4: null,
    hasDataOfMachines: true,
    lacks: rented,
  },
  {
    provider: "own",
    noMachine: "There is no price of a machine of yours: put one in the price book.",
    ipv4: null,
    lacks: {},
  },
];

export const selfHostedOffers: Offer[] = places.flatMap((place) => engines.map((engine) => offerOf(place, engine)));

function offerOf(place: Place, engine: Engine): Offer {
  return {
    id: `${place.provider}-${engine.id}`,
    provider: place.provider,
    product: place.provider === "own" ? `${engine.product} on your own machines` : `${engine.product} on machines`,
    layer: engine.layer,
    protocols: engine.protocols,
    tls: engine.tls,
    lacks: { ...place.lacks, ...engine.lacks },
    addressesReplicas: true,
    make: (demand, prices) => make(place, engine, demand, prices),
  };
}

function make(place: Place, engine: Engine, demand: Demand, prices: Prices): Made {
  const fleet = cheapestFleet(place, engine, demand, prices);
  const price = prices.get(fleet.machine.sku);
  const { profile, balancers } = demand;
  // They share the machines, so data, unlike with balancers that are bought, is that of all of them.
  const count = Math.max(fleet.count, balancers);
  return {
    charges: [
      paidByTime(`Machines ${fleet.machine.sku}`, price, fleet.count, "machines"),
      ...(place.ipv4 ? [addresses(prices.get(place.ipv4), count)] : []),
      ...(place.paysBetweenZones ? betweenZones(demand, prices) : []),
      ...(place.provider === "own"
        ? ownEgress(demand, prices)
        : egress(demand, prices, place.hasDataOfMachines ? { allowances: fleet.count } : {})),
    ],
    limits: fleet.limits,
    notes: [
      `${fleet.count} machines ${fleet.machine.sku}: with one away, the others carry the peak.`,
      ...(fleet.machine.mbps ? [] : [`Nobody says what the network of ${fleet.machine.sku} carries.`]),
      ...(place.paysBetweenZones || profile.zones === 1 || place.provider === "own"
        ? []
        : ["No price is known of data between zones, so it is left out."]),
    ],
  };
}

/** ownEgress is free only of those who have a price for it in their book, or pay a line that their machines include. */
function ownEgress(demand: Demand, prices: Prices) {
  return prices.find("egress") ? egress(demand, prices) : [];
}

type Fleet = { machine: Machine; count: number; limits: Limit[] };

/** cheapestFleet takes the size of machine that does it for the least. Of equals it takes what is known better. */
function cheapestFleet(place: Place, engine: Engine, demand: Demand, prices: Prices): Fleet {
  let best: (Fleet & { micros: number }) | null = null;
  for (const machine of machines[place.provider] ?? []) {
    const price = prices.find(machine.sku);
    if (!price) continue;
    const carries = capacityOf(engine, machine, demand);
    const needed = Math.max(1, ...carries.map(({ most, asked }) => Math.ceil(asked / most)));
    // One more than the load needs, so that one may be away; and one in each zone.
    const count = Math.max(needed + 1, demand.profile.zones);
    const micros = count * (price.tiers[0]?.micros ?? 0);
    if (best && (best.micros < micros || (best.micros === micros && best.machine.mbps))) continue;
    const limits = carries.flatMap(({ limit, most }) => (limit ? [{ ...limit, most: most * (count - 1) }] : []));
    best = { machine, count, limits, micros };
  }
  if (!best) throw new MissingPrice(place.noMachine);
  return best;
}

type Carries = { asked: number; most: number; limit: Limit | null };

/** capacityOf is what one machine carries of each figure: by the engine's cores, and no more than its network. */
function capacityOf(engine: Engine, { cores, mbps: network }: Machine, { profile, peak }: Demand): Carries[] {
  const by = (of: Limit["of"], asked: number, { most, basis, source }: Known): Carries => ({
    asked,
    most: most * cores,
    limit: { of, most: most * cores, basis, source },
  });
  const { mbps, newPerSecond } = (profile.tls === "terminate" ? engine.terminated : null) ?? engine;
  const carried = by("mbps", peak.mbps, mbps);
  const throughput: Carries = !network
    ? { ...carried, limit: null } // how much of it the network lets through, nobody knows
    : network.most < carried.most
      ? { asked: peak.mbps, most: network.most, limit: { of: "mbps", ...network } }
      : network.basis === "assumed" && carried.limit
        ? { ...carried, limit: { ...carried.limit, basis: "assumed", source: network.source } }
        : carried;
  return [
    throughput,
    by("new-connections", peak.newPerSecond, newPerSecond),
    by("active-connections", peak.active, engine.active),
    ...(engine.requestsPerSecond ? [by("requests", peak.requestsPerSecond, engine.requestsPerSecond)] : []),
  ];
}
