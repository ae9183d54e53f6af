import type { TrafficProfile } from "../traffic/traffic-profile.ts";
import type { CapacityFigure } from "./capacity-figure.ts";
import { clientInHeader } from "./lacks.ts";
import type { Lacks } from "./offer.ts";

/** Known is a figure with where it is known from. Those of an engine are for one core that it has to itself. */
export type Known = { most: number } & Pick<CapacityFigure, "basis" | "source">;

export type Engine = {
  id: string;
  product: string;
  layer: 4 | 7;
  protocols: readonly TrafficProfile["protocol"][];
  tls: readonly TrafficProfile["tls"][];
  lacks: Lacks;
  mbps: Known;
  newPerSecond: Known;
  active: Known;
  /** Where TLS ends at the engine. Null where it can't. */
  terminated: { mbps: Known; newPerSecond: Known } | null;
  /** Null where it reads no requests, so that they don't limit it. */
  requestsPerSecond: Known | null;
  /** How much longer an answer takes by it, of 99 in 100. */
  addedMs: Known;
};

const article = "How to choose a load balancer for the cloud (2010)";
const handshakes = "https://video.nginx-cn.net/blog/nginx-ssl-performance";
const assumed = (most: number, source: string): Known => ({ most, basis: "assumed", source });
const published = (most: number, source: string): Known => ({ most, basis: "published", source });
/** measured is half of what two cores did that also ran the client and the backends: the least that one of its own does. */
const measured = (onTwo: number, what: string): Known => ({
  most: onTwo / 2,
  basis: "measured",
  source: `npm run bench -- datapath: ${onTwo} a second by ${what} on two cores, which also ran client and backends`,
});

/** added is the time on processors that have nothing to spare, where much of it is waiting: elsewhere it is less. */
const added = (ms: number, by: string): Known => ({
  most: ms,
  basis: "measured",
  source: `npm run bench -- datapath: the 99th percentile of small answers by ${by}, less the one without a balancer, on two cores that did nothing but that`,
});

/**
 * The engines of balancers that one runs oneself. What is published is taken for each core, which more cores of today
 * exceed; what nobody measured or published is assumed low, and no advice rests on it.
 */
export const engines: readonly Engine[] = [
  {
    id: "haproxy",
    product: "HAProxy",
    layer: 7,
    protocols: ["tcp", "http"],
    tls: ["none", "passthrough", "terminate"],
    lacks: { "client-source-address": clientInHeader },
    mbps: published(400, `${article}: a small instance forwards as much, whether at layer 4 or 7`),
    newPerSecond: measured(6_700, "HAProxy in TCP mode"),
    active: assumed(20_000, "as many as a gigabyte of memory holds with buffers"),
    terminated: {
      mbps: assumed(200, "half of what it forwards without TLS"),
      newPerSecond: assumed(350, "as many as nginx, with the same library"),
    },
    requestsPerSecond: published(
      31_000,
      "https://www.haproxy.com/blog/haproxy-forwards-over-2-million-http-requests-per-second-on-a-single-aws-arm-instance/: 2.04 million on 64 cores",
    ),
    addedMs: added(1.8, "HAProxy"),
  },
  {
    id: "nginx",
    product: "nginx",
    layer: 7,
    protocols: ["tcp", "udp", "http", "quic"],
    tls: ["none", "passthrough", "terminate"],
    lacks: { "client-source-address": clientInHeader },
    mbps: published(200, `${article}: it takes twice the processor of one at layer 4`),
    newPerSecond: measured(7_600, "nginx stream"),
    active: assumed(20_000, "as many as a gigabyte of memory holds with buffers"),
    terminated: {
      mbps: assumed(100, "half of what it forwards without TLS"),
      newPerSecond: published(350, `${handshakes}: full RSA-2048 handshakes of one virtual core`),
    },
    requestsPerSecond: measured(31_000, "nginx http"),
    addedMs: added(1.9, "nginx http"),
  },
  {
    id: "fairlead",
    product: "Fairlead",
    layer: 4,
    protocols: ["tcp", "udp", "http", "quic"],
    tls: ["none", "passthrough"],
    lacks: {},
    mbps: {
      most: 2_900,
      basis: "measured",
      source:
        "npm run bench -- ecmp-throughput: 5 820 Mbit/s with 64 connections on two cores, which also ran clients, router and backends",
    },
    newPerSecond: measured(11_300, "the engine tcx, direct"),
    active: published(100_000, "of the 262 144 connections that its table holds, for each core"),
    terminated: null,
    requestsPerSecond: null,
    addedMs: added(0.22, "the engine tcx with NAT"),
  },
];
