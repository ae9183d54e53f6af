import type { BookMachine, Price } from "../prices/catalogue.ts";
import type { Provider } from "../prices/providers.ts";
import type { Charge } from "../traffic/charge.ts";
import { hoursOfMonth } from "../traffic/hours-of-month.ts";
import type { TrafficProfile } from "../traffic/traffic-profile.ts";
import { addressesItem, betweenZones, egress, paidByHourOrMonth } from "./charges.ts";
import { type Carried, type Engine, engines, guessOf, type Known } from "./engines.ts";
import { type Machine, machines } from "./machines.ts";
import { type Demand, type Lacks, type Limit, type Made, MissingPrice, type Offer, type Prices } from "./offer.ts";

// Its website has the price of a machine with an address. Its API, which is what a feed reads, has that by itself.
const hetznerWebsite = "https://www.hetzner.com/";
const hetznerIpv4 = { sku: "primary-ipv4", comesWith: ({ source }: Price) => source.startsWith(hetznerWebsite) };

/** Place is where machines are rented, or stand, and what goes with them. */
export type Place = {
  provider: Provider;
  noMachine: MissingPrice;
  /** The price of a machine's public address; null where it is part of the machine's. */
  ipv4: string | null;
  /** Where it is part of some prices of machines: what further addresses cost, and of which prices it is. */
  furtherIpv4?: { sku: string; comesWith: (machine: Price) => boolean };
  /** Each machine brings data to the internet. That of the first two is counted, so that growth never looks like a saving. */
  hasDataOfMachines?: boolean;
  paysBetweenZones?: boolean;
  /** What may be taken, and how it is told. */
  machines: readonly Machine[];
  on: string;
  lacks: Lacks;
};

const fewest = 2;
const noMachine = new MissingPrice("There is no price of a machine in this region.");
const rented: Lacks = { "on-premises": "these machines stand in a provider's halls" };

const rentedAt = (provider: Provider) => ({
  ...{ provider, noMachine, machines: machines[provider] ?? [], on: "on machines", lacks: rented },
});

const places: readonly Place[] = [
  { ...rentedAt("aws"), ipv4: "public-ipv4", paysBetweenZones: true },
  { ...rentedAt("gcp"), ipv4: "vm-ipv4" },
  { ...rentedAt("azure"), ipv4: "public-ipv4" },
  { ...rentedAt("hetzner"), ipv4: null, furtherIpv4: hetznerIpv4, hasDataOfMachines: true },
];

const own: Place = {
  provider: "own",
  noMachine: new MissingPrice("There is no price of a machine of yours: put one in the price book."),
  machines: [],
  on: "on your own machines",
  ipv4: null,
  lacks: {},
};

export const rentedOffers: Offer[] = places.flatMap((place) => engines.map((engine) => offerOf(place, engine)));

/** Of those who have no machine in a price book: listed, so that they see what is missing. */
export const unownedOffers: Offer[] = engines.map((engine) => offerOf(own, engine));

/** ownOffersOn are the engines on each size that somebody owns. What it carries is taken as its owner says. */
export function ownOffersOn(sizes: readonly BookMachine[]): Offer[] {
  return sizes.flatMap(({ sku, name, cores, mbps: most }) => {
    const machine: Machine = { sku, name, cores, mbps: { most, basis: "published", source: "the price book" } };
    const place = { ...own, machines: [machine], on: `on ${name}` };
    return engines.map((engine) => ({ ...offerOf(place, engine), id: `own-${engine.id}-${name}` }));
  });
}

/** placeOf is where machines of a provider are rented; undefined of one that rents none that are known. */
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
    make: (demand, prices) => make(place, engine, demand, prices),
  };
}

function make(place: Place, engine: Engine, demand: Demand, prices: Prices): Made {
  const fleet = cheapestFleet(place, engine, demand, prices);
  const { profile, balancers } = demand;
  return {
    charges: [
      paidByHourOrMonth(`Machines ${nameOf(fleet.machine)}`, fleet.machine.sku, prices, fleet.count, "machines"),
      ...paidAddresses(place, fleet, balancers, prices),
      // They share the machines, so data, unlike with balancers that are bought, is that of all of them.
      ...(place.paysBetweenZones ? betweenZones(demand, prices) : []),
      ...(place.provider === "own"
        ? ownEgress(demand, prices)
        : egress(demand, prices, place.hasDataOfMachines ? { allowances: fewest } : {})),
    ],
    limits: fleet.limits,
    notes: [
      `${fleet.count} machines ${nameOf(fleet.machine)}: with one away, the others carry the peak.`,
      ...(place.paysBetweenZones || profile.zones === 1 || place.provider === "own"
        ? []
        : ["No price is known of data between zones, so it is left out."]),
    ],
  };
}

/** paidAddresses are one for each machine, and each balancer that they stand in for, but for those that machines bring. */
function paidAddresses(place: Place, { machine, count }: Fleet, balancers: number, prices: Prices): Charge[] {
  const sku = place.ipv4 ?? place.furtherIpv4?.sku;
  const paid = Math.max(count, balancers) - (bringsAddress(place, prices.get(machine.sku)) ? count : 0);
  return sku && paid > 0 ? [paidByHourOrMonth(addressesItem, sku, prices, paid, "addresses")] : [];
}

function bringsAddress({ furtherIpv4 }: Place, machine: Price): boolean {
  return furtherIpv4?.comesWith(machine) ?? false;
}

/** ownEgress is free only of those who have a price for it in their book, or pay a line that their machines include. */
export function ownEgress(demand: Demand, prices: Prices) {
  return prices.find("egress") ? egress(demand, prices) : [];
}

type Fleet = { machine: Machine; count: number; limits: Limit[] };

/** cheapestFleet takes the size of machine that does it for the least. Of equals it takes what is known better. */
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
    // One more than the load needs, so that one may be away; and one in each zone.
    const count = Math.max(Math.max(1, needed) + 1, profile.zones);
    const paid = Math.max(count, demand.balancers) - (size.hasAddress ? count : 0);
    const micros = count * size.micros + paid * address;
    if (micros > least || (micros === least && best?.size.machine.mbps)) continue;
    best = { size, count };
    least = micros;
  }
  if (!best) throw place.noMachine;
  const { size, count } = best;
  const limits = size.limits.map((limit) => ({ ...limit, most: limit.most * (count - 1) }));
  return { machine: size.machine, count, limits: [...limits, { of: "latency", ...carried.addedMs }] };
}

function nameOf({ sku, name = sku }: Machine): string {
  return name;
}

function hourOf({ tiers, unit }: Price): number {
  return (tiers[0]?.micros ?? 0) / (unit === "month" ? hoursOfMonth : 1);
}

/** Size is a machine with what an engine carries on it, and what an hour of it costs. */
type Size = {
  machine: Machine;
  micros: number;
  /** Whether an address is part of its price. */
  hasAddress: boolean;
  mbps: number;
  newPerSecond: number;
  active: number;
  requestsPerSecond: number;
  limits: Limit[];
};

/**
 * carriedBy is what it carries of such traffic. Of what can't end at it, which never fits, that which it sends on. Who ends
 * connections was measured over TCP alone; who sends packets on does the same with any.
 */
function carriedBy({ forwarded, terminated, layer }: Engine, { tls, protocol }: TrafficProfile): Carried {
  const carried = (tls === "terminate" ? terminated : null) ?? forwarded;
  return layer === 7 && (protocol === "udp" || protocol === "quic") ? guessOf(carried) : carried;
}

const sized = new WeakMap<Prices, Map<Place, Map<Carried, Size[]>>>();

/** sizesOf works out once what each machine that has a price can do. */
function sizesOf(place: Place, carried: Carried, prices: Prices): Size[] {
  const perPrices = sized.get(prices) ?? new Map<Place, Map<Carried, Size[]>>();
  sized.set(prices, perPrices);
  const perPlace = perPrices.get(place) ?? new Map<Carried, Size[]>();
  perPrices.set(place, perPlace);
  const before = perPlace.get(carried);
  if (before) return before;
  const sizes = place.machines.flatMap((machine) => {
    const price = prices.find(machine.sku);
    return price ? [{ ...sizeOf(carried, machine, hourOf(price)), hasAddress: bringsAddress(place, price) }] : [];
  });
  perPlace.set(carried, sizes);
  return sizes;
}

function sizeOf({ mbps, newPerSecond, active, requestsPerSecond }: Carried, machine: Machine, micros: number) {
  const onAll = ({ most }: Known) => most * machine.cores;
  const throughput = throughputOf(mbps, machine);
  const limit = (of: Limit["of"], known: Known): Limit => ({ of, ...byCores(known, machine) });
  return {
    machine,
    micros,
    mbps: throughput?.most ?? onAll(mbps),
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

/** throughputOf is the less of what the engine and the network carry: unknown where the network is. */
function throughputOf(engine: Known, { cores, mbps: network }: Machine): Known | null {
  if (!network) return null;
  const onAll = byCores(engine, { cores });
  if (network.most < onAll.most) return network;
  return network.basis === "assumed" ? { ...network, most: onAll.most } : onAll;
}

/** byCores is what an engine does on a machine. None of those that are sold is the one that it was measured on. */
function byCores(known: Known, { cores }: Pick<Machine, "cores">): Known {
  return { ...known, most: known.most * cores, basis: known.basis === "measured" ? "scaled" : known.basis };
}
