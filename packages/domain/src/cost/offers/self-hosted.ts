import type { BookMachine, Price } from "../prices/catalogue.ts";
import { type Provider, providerNames, providers } from "../prices/providers.ts";
import type { Charge } from "../traffic/charge.ts";
import { hoursOfMonth } from "../traffic/hours-of-month.ts";
import type { TrafficProfile } from "../traffic/traffic-profile.ts";
import { addressesItem, betweenZones, egress, paidByHourOrMonth } from "./charges.ts";
import { type Carried, type Engine, engines, guessOf, type Known } from "./engines.ts";
import { isBurstable, type Machine, machines } from "./machines.ts";
import {
  type Demand,
  type Lacks,
  type Limit,
  type Line,
  type Made,
  MissingPrice,
  type Offer,
  type Prices,
} from "./offer.ts";

// Prices on the website include an address. The API, which the feed reads, lists it separately.
const hetznerWebsite = "https://www.hetzner.com/";
const hetznerIpv4 = { sku: "primary-ipv4", comesWith: ({ source }: Price) => source.startsWith(hetznerWebsite) };

/** Place is where machines are rented or owned, with its conditions. */
export type Place = {
  provider: Provider;
  noMachine: MissingPrice;
  /** The SKU of a machine's public address; null if it is part of the machine's price. */
  ipv4: string | null;
  /** If only some prices of machines include an address: the SKU of further addresses, and which prices include one. */
  furtherIpv4?: { sku: string; comesWith: (machine: Price) => boolean };
  /** Whether each machine includes traffic to the internet. Only that of the first two is counted, so that more machines never look cheaper. */
  hasDataOfMachines?: boolean;
  paysBetweenZones?: boolean;
  /** What packets with the addresses of clients need, which balancers at layer 4 forward. */
  forwarding?: string;
  /** The available machines, and how a product on them is named. */
  machines: readonly Machine[];
  on: string;
  lacks: Lacks;
};

const fewest = 2;
const noMachine = new MissingPrice("There is no price of a machine in this region.");
const rented: Lacks = { "on-premises": "these machines are in a provider's data centre" };

type Conditions = Pick<Place, "ipv4" | "furtherIpv4" | "hasDataOfMachines" | "paysBetweenZones" | "forwarding">;

/** The conditions of rented machines; null for providers whose machines aren't listed. */
const conditions: Record<Provider, Conditions | null> = {
  aws: {
    ipv4: "public-ipv4",
    paysBetweenZones: true,
    forwarding:
      "Turn off the source/destination check of its machines: AWS drops packets with other addresses (https://docs.aws.amazon.com/vpc/latest/userguide/VPC_NAT_Instance.html).",
  },
  gcp: {
    ipv4: "vm-ipv4",
    forwarding:
      "Create its machines with canIpForward: Google drops packets with other addresses (https://cloud.google.com/vpc/docs/using-routes).",
  },
  azure: {
    ipv4: "public-ipv4",
    forwarding:
      "Enable IP forwarding on the network interfaces of its machines (https://learn.microsoft.com/azure/virtual-network/virtual-network-network-interface).",
  },
  hetzner: { ipv4: null, furtherIpv4: hetznerIpv4, hasDataOfMachines: true },
  oracle: null,
  digitalocean: null,
  linode: null,
  scaleway: null,
  ovh: null,
  alibaba: null,
  bunny: null,
  own: null,
};

const places: readonly Place[] = providerNames.flatMap((provider) => {
  const known = conditions[provider];
  return known
    ? [{ provider, noMachine, machines: machines[provider], on: "on machines", lacks: rented, ...known }]
    : [];
});

const own: Place = {
  provider: "own",
  noMachine: new MissingPrice("There is no price of a machine of yours: add one to the price book."),
  machines: [],
  on: "on your own machines",
  ipv4: null,
  lacks: {},
};

export const rentedOffers: Offer[] = places.flatMap((place) => engines.map((engine) => offerOf(place, engine)));

/** Offers for organisations without machines in their price book: listed, so that they see what is missing. */
export const unownedOffers: Offer[] = engines.map((engine) => offerOf(own, engine));

/** ownOffersOn returns the engines on each of the organisation's own machines, with the capacity in the price book. */
export function ownOffersOn(sizes: readonly BookMachine[]): Offer[] {
  return sizes.flatMap(({ sku, name, cores, mbps: limit }) => {
    const machine: Machine = { sku, name, cores, mbps: { limit, basis: "published", source: "the price book" } };
    const place = { ...own, machines: [machine], on: `on ${name}` };
    return engines.map((engine) => ({ ...offerOf(place, engine), id: `own-${engine.id}-${name}` }));
  });
}

/** placeOf is the place of a provider's machines; undefined if it has no known ones. */
export function placeOf(provider: Provider): Place | undefined {
  return places.find((each) => each.provider === provider);
}

function offerOf(place: Place, engine: Engine): Offer {
  return {
    id: `${place.provider}-${engine.id}`,
    provider: place.provider,
    product: `${engine.product} ${place.on}`,
    layer: engine.layer,
    protocols: engine.protocols,
    tls: engine.tls,
    lacks: { ...place.lacks, ...engine.lacks },
    addressesReplicas: true,
    isOurs: engine.isOurs ?? false,
    make: (demand, prices) => make(place, engine, demand, prices),
  };
}

function make(place: Place, engine: Engine, demand: Demand, prices: Prices): Made {
  const fleet = cheapestFleet(place, engine, demand, prices);
  const { balancers } = demand;
  return {
    lines: [
      paidByHourOrMonth(`Machines ${nameOf(fleet.machine)}`, fleet.machine.sku, prices, fleet.count, "machines"),
      ...paidAddresses(place, fleet, balancers, prices),
      // All balancers share the machines, so data is the total, unlike with bought balancers.
      ...(place.paysBetweenZones ? betweenZones(demand, prices) : unknownBetweenZones(place, demand)),
      ...(place.provider === "own"
        ? ownEgress(demand, prices)
        : egress(demand, prices, place.hasDataOfMachines ? { allowances: fewest } : {})),
    ],
    limits: fleet.limits,
    notes: [`${fleet.count} machines ${nameOf(fleet.machine)}: if one fails, the others carry the peak.`],
    conditions: [
      ...(place.forwarding && engine.layer === 4 ? [place.forwarding] : []),
      ...(isBurstable(fleet.machine)
        ? [`${nameOf(fleet.machine)} is burstable: bursts are limited by credits, so only its baseline is counted.`]
        : []),
    ],
  };
}

function unknownBetweenZones({ provider }: Place, { profile }: Demand): Line[] {
  if (profile.zones === 1 || provider === "own") return [];
  const item = "Data between zones";
  return [{ item, missing: new MissingPrice(`${item} has no known price at ${providers[provider].title}.`) }];
}

/** paidAddresses are one for each machine or, if there are more, each balancer, except those included with machines. */
function paidAddresses(place: Place, { machine, count }: Fleet, balancers: number, prices: Prices): Charge[] {
  const sku = place.ipv4 ?? place.furtherIpv4?.sku;
  const paid = Math.max(count, balancers) - (includesAddress(place, prices.get(machine.sku)) ? count : 0);
  return sku && paid > 0 ? [paidByHourOrMonth(addressesItem, sku, prices, paid, "addresses")] : [];
}

function includesAddress({ furtherIpv4 }: Place, machine: Price): boolean {
  return furtherIpv4?.comesWith(machine) ?? false;
}

/** ownEgress is billed if the price book has a price for it. Otherwise the cost of the machines includes their network connection. */
export function ownEgress(demand: Demand, prices: Prices) {
  return prices.find("egress") ? egress(demand, prices) : [];
}

type Fleet = { machine: Machine; count: number; limits: Limit[] };

/** cheapestFleet picks the cheapest size of machine. Among equals it prefers one with a known network throughput. */
function cheapestFleet(place: Place, engine: Engine, demand: Demand, prices: Prices): Fleet {
  const { peak, profile } = demand;
  const carried = carriedBy(engine, profile);
  let best: { size: Size; count: number } | null = null;
  let least = Number.POSITIVE_INFINITY;
  const sku = place.ipv4 ?? place.furtherIpv4?.sku;
  const address = sku ? hourOf(prices.get(sku)) : 0;
  for (const size of sizesOf(place, carried, prices)) {
    const needed = Math.ceil(
      Math.max(
        peak.mbps / size.mbps,
        peak.newPerSecond / size.newPerSecond,
        peak.active / size.active,
        peak.requestsPerSecond / size.requestsPerSecond,
      ),
    );
    // One more than the load needs, so that one may fail; and one in each zone.
    const count = Math.max(Math.max(1, needed) + 1, profile.zones);
    const paid = Math.max(count, demand.balancers) - (size.hasAddress ? count : 0);
    const micros = count * size.micros + paid * address;
    if (micros > least || (micros === least && best?.size.machine.mbps)) continue;
    best = { size, count };
    least = micros;
  }
  if (!best) throw place.noMachine;
  const { size, count } = best;
  const limits = size.limits.map((figure) => ({ ...figure, limit: figure.limit * (count - 1) }));
  return { machine: size.machine, count, limits: [...limits, { of: "latency", ...carried.addedMs }] };
}

function nameOf({ sku, name = sku }: Machine): string {
  return name;
}

function hourOf({ tiers, unit }: Price): number {
  return (tiers[0]?.micros ?? 0) / (unit === "month" ? hoursOfMonth : 1);
}

/** Size is a machine with the capacity of an engine on it, and its hourly price. */
type Size = {
  machine: Machine;
  micros: number;
  /** Whether its price includes an address. */
  hasAddress: boolean;
  mbps: number;
  newPerSecond: number;
  active: number;
  requestsPerSecond: number;
  limits: Limit[];
};

/**
 * carriedBy is the capacity of an engine for such traffic. If it can't terminate TLS, and so never fits, the capacity without
 * termination. Proxies were only measured with TCP; packet forwarders perform the same with any protocol.
 */
function carriedBy({ forwarded, terminated, layer }: Engine, { tls, protocol }: TrafficProfile): Carried {
  const carried = (tls === "terminate" ? terminated : null) ?? forwarded;
  return layer === 7 && (protocol === "udp" || protocol === "quic") ? guessOf(carried) : carried;
}

const sized = new WeakMap<Prices, Map<Place, Map<Carried, Size[]>>>();

/** sizesOf calculates once the capacity of each machine that has a price. */
function sizesOf(place: Place, carried: Carried, prices: Prices): Size[] {
  const perPrices = sized.get(prices) ?? new Map<Place, Map<Carried, Size[]>>();
  sized.set(prices, perPrices);
  const perPlace = perPrices.get(place) ?? new Map<Carried, Size[]>();
  perPrices.set(place, perPlace);
  const before = perPlace.get(carried);
  if (before) return before;
  const sizes = place.machines.flatMap((machine) => {
    const price = prices.find(machine.sku);
    return price ? [{ ...sizeOf(carried, machine, hourOf(price)), hasAddress: includesAddress(place, price) }] : [];
  });
  perPlace.set(carried, sizes);
  return sizes;
}

function sizeOf({ mbps, newPerSecond, active, requestsPerSecond }: Carried, machine: Machine, micros: number) {
  const onAll = ({ limit }: Known) => limit * machine.cores;
  const throughput = throughputOf(mbps, machine);
  const limit = (of: Limit["of"], known: Known): Limit => ({ of, ...byCores(known, machine) });
  return {
    machine,
    micros,
    mbps: throughput?.limit ?? onAll(mbps),
    newPerSecond: onAll(newPerSecond),
    active: onAll(active),
    requestsPerSecond: requestsPerSecond ? onAll(requestsPerSecond) : Number.POSITIVE_INFINITY,
    limits: [
      ...(throughput ? [{ of: "mbps" as const, ...throughput }] : []),
      limit("new-connections", newPerSecond),
      limit("active-connections", active),
      ...(requestsPerSecond ? [limit("requests", requestsPerSecond)] : []),
    ],
  };
}

/** throughputOf is the lower of the throughput of the engine and the network; null if that of the network is unknown. */
function throughputOf(engine: Known, { cores, mbps: network }: Machine): Known | null {
  if (!network) return null;
  const onAll = byCores(engine, { cores });
  if (network.limit < onAll.limit) return network;
  return network.basis === "assumed" ? { ...network, limit: onAll.limit } : onAll;
}

/** byCores is the capacity of an engine on a machine. None of these machines is the one that it was measured on. */
function byCores(known: Known, { cores }: Pick<Machine, "cores">): Known {
  return { ...known, limit: known.limit * cores, basis: known.basis === "measured" ? "scaled" : known.basis };
}
