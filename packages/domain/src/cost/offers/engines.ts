import type { TrafficProfile } from "../traffic/traffic-profile.ts";
import { amount, type CapacityFigure } from "./capacity-figure.ts";
import { clientInHeader } from "./lacks.ts";
import type { Lacks } from "./offer.ts";

/** Known is a figure with its source. Figures of an engine are for one dedicated core. */
export type Known = { limit: number } & Pick<CapacityFigure, "basis" | "source">;

/** Carried is the capacity of an engine for one kind of traffic. */
export type Carried = {
  mbps: Known;
  newPerSecond: Known;
  active: Known;
  /** null if it doesn't read requests, so they don't limit it. */
  requestsPerSecond: Known | null;
  /** Added latency, p99. */
  addedMs: Known;
};

export type Engine = {
  id: string;
  product: string;
  layer: 4 | 7;
  protocols: readonly TrafficProfile["protocol"][];
  tls: readonly TrafficProfile["tls"][];
  lacks: Lacks;
  isOurs?: boolean;
  forwarded: Carried;
  /** With TLS termination at the engine; null if it can't terminate TLS. */
  terminated: Carried | null;
};

const bench = "npm run bench -- datapath";
const published = (limit: number, source: string): Known => ({ limit, basis: "published", source });

/** measured is half of the result on two cores that also ran the client and the backends: a lower bound for one dedicated core. */
const measured = (onTwo: number, of: string, by: string): Known => ({
  limit: onTwo / 2,
  basis: "measured",
  source: `${bench}: ${amount(onTwo)} ${of} by ${by} on two cores, which also ran client and backends`,
});
const mbps = (onTwo: number, by: string) => measured(onTwo, "Mbit/s", by);
const handshakes = (onTwo: number, by: string) => measured(onTwo, "full RSA-2048 handshakes a second", by);
const connections = (onTwo: number, by: string) => measured(onTwo, "new connections a second", by);
const requests = (onTwo: number, by: string) => measured(onTwo, "requests a second", by);

const halfGigabyte = 2 ** 29;
/** held is the number of connections that fit in half a gigabyte per core; the other half is for the kernel. */
const held = (kilobytes: number, by: string): Known => ({
  limit: Math.floor(halfGigabyte / (kilobytes * 1e3)),
  basis: "measured",
  source: `${bench}: each of ${amount(4_000)} by ${by} took ${kilobytes} kB at most, of half a gigabyte for each core`,
});

/** added is the latency on saturated processors, where much of it is queueing. Elsewhere it is lower. */
const added = (ms: number, what: string): Known => ({
  limit: ms,
  basis: "measured",
  source: `${bench}: the 99th percentile of small responses by ${what}, on two saturated cores`,
});

/** The engines of self-hosted balancers. If an engine has two modes, the figures are those of the slower one. */
export const engines: readonly Engine[] = [
  {
    id: "haproxy",
    product: "HAProxy",
    layer: 7,
    protocols: ["tcp", "http"],
    tls: ["none", "passthrough", "terminate"],
    lacks: { "client-source-address": clientInHeader },
    forwarded: {
      mbps: mbps(3_800, "HAProxy http"),
      newPerSecond: connections(13_000, "HAProxy http"),
      active: held(20, "HAProxy http"),
      requestsPerSecond: requests(52_000, "HAProxy http"),
      addedMs: added(1.8, "HAProxy, less the one without a balancer"),
    },
    terminated: {
      mbps: mbps(6_200, "HAProxy TLS"),
      newPerSecond: handshakes(1_100, "HAProxy TLS"),
      active: held(49, "HAProxy TLS"),
      requestsPerSecond: requests(39_000, "HAProxy TLS"),
      addedMs: added(2.3, "HAProxy TLS"),
    },
  },
  {
    id: "nginx",
    product: "nginx",
    layer: 7,
    protocols: ["tcp", "udp", "http", "quic"],
    tls: ["none", "passthrough", "terminate"],
    lacks: { "client-source-address": clientInHeader },
    forwarded: {
      mbps: mbps(13_000, "nginx stream"),
      newPerSecond: connections(14_000, "nginx stream"),
      active: held(22, "nginx stream"),
      requestsPerSecond: requests(52_000, "nginx http"),
      addedMs: added(1.9, "nginx http, less the one without a balancer"),
    },
    terminated: {
      mbps: mbps(6_900, "nginx TLS"),
      newPerSecond: handshakes(1_500, "nginx TLS"),
      active: held(35, "nginx TLS"),
      requestsPerSecond: requests(42_000, "nginx TLS"),
      addedMs: added(2.8, "nginx TLS"),
    },
  },
  {
    id: "fairlead",
    product: "Fairlead",
    isOurs: true,
    layer: 4,
    protocols: ["tcp", "udp", "http", "quic"],
    tls: ["none", "passthrough"],
    lacks: {},
    forwarded: {
      mbps: mbps(23_000, "the engine tcx with NAT"),
      newPerSecond: connections(15_000, "the engine tcx with NAT"),
      active: published(100_000, `of the ${amount(262_144)} connections that its table holds, for each core`),
      requestsPerSecond: null,
      addedMs: added(0.22, "the engine tcx with NAT, less the one without a balancer"),
    },
    terminated: null,
  },
];

const guesses = new WeakMap<Carried, Carried>();

/** guessOf assumes the figures of one kind of traffic for another that wasn't measured. */
export function guessOf(carried: Carried): Carried {
  const before = guesses.get(carried);
  if (before) return before;
  const { mbps, newPerSecond, active, requestsPerSecond, addedMs } = carried;
  const guessed = {
    mbps: assumedLike(mbps),
    newPerSecond: assumedLike(newPerSecond),
    active: assumedLike(active),
    requestsPerSecond: requestsPerSecond && assumedLike(requestsPerSecond),
    addedMs: assumedLike(addedMs),
  };
  guesses.set(carried, guessed);
  return guessed;
}

function assumedLike(known: Known): Known {
  return { ...known, basis: "assumed", source: `over TCP, ${known.source}` };
}
