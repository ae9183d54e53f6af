import { hostPrefix } from "../address/family.ts";
import type { Protocol } from "../exposure/exposed-port.ts";
import type { ActiveHealthCheck } from "../exposure/health-check.ts";
import { type PlacedLoadBalancer, servicesOf } from "../load-balancer/balancer-config.ts";
import type { ClusterRouting } from "./cluster-routing.ts";

/** BgpConfig is who an agent is to its peers. */
export type BgpConfig = { asn: number; peers: BgpPeer[] };

export type BgpPeer = {
  /** Of the one; else callers. */
  address?: string;
  /** The network that peers call from. */
  callers?: string;
  asn: number;
  description: string;
  /** Of a reflector: a balancer, which is given nothing. */
  isClient?: boolean;
  /** Sealed, for the gateway alone to open. */
  sealedPassword?: string;
  /** Of each family, at which the session ends; absent: any. */
  mostRoutes?: number;
  nearOnly: boolean;
  holdSeconds: number;
  /** Absent: a third of the hold time. */
  keepAliveSeconds?: number;
  detection: { intervalMs: number; multiplier: number } | null;
};

export type SpeakerConfig = { bgp: BgpConfig; services: SpeakerService[]; leaving: boolean; drainMs: number };

export type SpeakerService = {
  loadBalancerId: string;
  prefix: string;
  preference: number;
  /** 0: none is told. */
  med: number;
  communities: string[];
  /** A process answers, not a data path. */
  plain: boolean;
  leaving: boolean;
  probes: { address: string; port: number; protocol: Protocol; healthCheck: ActiveHealthCheck | null }[];
};

export type ReflectorConfig = { bgp: BgpConfig; accepts: string[] };
export type RouterConfig = { bgp: BgpConfig; accepts: string[]; keepMs: number; settleMs: number };

/** RoutingSnapshot is what the cluster says of BGP, and what the node has to offer. */
export type RoutingSnapshot = {
  nodeName: string;
  routing: ClusterRouting;
  sealedPassword: string;
  /** Of the cluster's pools: what may be routed. */
  prefixes: readonly string[];
  /** Placed on the balancers of the node. */
  loadBalancers: readonly PlacedLoadBalancer[];
  /** All that the speaker offers is to go by other replicas. */
  leaving: boolean;
};

/** compileSpeaker lets a node's balancers be told of: to reflectors, or to routers where there are none. */
export function compileSpeaker(snapshot: RoutingSnapshot): SpeakerConfig {
  const { routing, loadBalancers } = snapshot;
  const { asn, reflectors, routers, preference, med = 0, communities } = routing;
  const peers =
    reflectors.length > 0
      ? reflectors.map(({ name, address }) => peerOf(snapshot, { address, asn, description: name }))
      : routers.map(({ name, address, asn }) => peerOf(snapshot, { address, asn, description: name }));
  return {
    bgp: { asn, peers: sorted(peers) },
    services: loadBalancers
      .map((each) => serviceOf(each, { preference, med, communities }))
      .sort((a, b) => compare(a.prefix, b.prefix)),
    leaving: snapshot.leaving,
    drainMs: routing.drainSeconds * 1_000,
  };
}

function serviceOf(
  loadBalancer: PlacedLoadBalancer,
  { preference, med, communities }: Pick<SpeakerService, "preference" | "med" | "communities">,
): SpeakerService {
  const { id, address, delivery, proxyProtocol, leaving = false } = loadBalancer;
  return {
    loadBalancerId: id,
    prefix: hostPrefix(address),
    preference,
    med,
    communities: [...communities].sort(),
    plain: delivery === "proxy" || proxyProtocol === true,
    leaving,
    // Of TCP a connection says enough; of UDP only what the service's own check would answer.
    probes: servicesOf(loadBalancer).map(({ address, port, protocol, healthCheck }) => ({
      address,
      port,
      protocol,
      healthCheck: protocol === "udp" && healthCheck?.type === "udp" ? healthCheck : null,
    })),
  };
}

/** compileReflector passes on what balancers tell, to the cluster's routers. */
export function compileReflector(snapshot: RoutingSnapshot): ReflectorConfig {
  const { asn, balancers, routers, mostRoutes } = snapshot.routing;
  const clients = balancers.map((callers) =>
    peerOf(snapshot, { callers, asn, description: "balancers", isClient: true, mostRoutes }),
  );
  const upstream = routers.map(({ name, address, asn }) => peerOf(snapshot, { address, asn, description: name }));
  return { bgp: { asn, peers: sorted([...clients, ...upstream]) }, accepts: acceptsOf(snapshot) };
}

/** compileRouter makes the kernel's what reflectors tell, or balancers where there are none. */
export function compileRouter(snapshot: RoutingSnapshot): RouterConfig {
  const { nodeName, routing } = snapshot;
  const { asn, balancers, reflectors, routers, keepSeconds, settleSeconds, mostRoutes } = routing;
  const own = routers.find((each) => each.name === nodeName)?.asn ?? asn;
  const peers =
    reflectors.length > 0
      ? reflectors.map(({ name, address }) => peerOf(snapshot, { address, asn, description: name }))
      : balancers.map((callers) => peerOf(snapshot, { callers, asn, description: "balancers", mostRoutes }));
  return {
    bgp: { asn: own, peers: sorted(peers) },
    accepts: acceptsOf(snapshot),
    keepMs: toMs(keepSeconds),
    settleMs: toMs(settleSeconds),
  };
}

/** To an agent, 0 means that nothing was said. */
const toMs = (seconds: number): number => Math.max(1, seconds * 1_000);

const acceptsOf = ({ prefixes }: RoutingSnapshot): string[] => [...prefixes].sort(compare);

type Known = Pick<BgpPeer, "address" | "callers" | "asn" | "description" | "isClient" | "mostRoutes">;

function peerOf({ routing, sealedPassword }: RoutingSnapshot, known: Known): BgpPeer {
  const { nearOnly, holdSeconds, keepaliveSeconds, detection } = routing;
  return {
    ...known,
    ...(sealedPassword ? { sealedPassword } : {}),
    nearOnly,
    holdSeconds,
    ...(keepaliveSeconds === undefined ? {} : { keepAliveSeconds: keepaliveSeconds }),
    detection,
  };
}

function sorted(peers: BgpPeer[]): BgpPeer[] {
  return peers.sort((a, b) => compare(nameOf(a), nameOf(b)));
}

const nameOf = ({ address = "", callers = "" }: BgpPeer): string => address || callers;

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
