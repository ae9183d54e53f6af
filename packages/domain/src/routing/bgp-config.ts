import { hostPrefix } from "../address/family.ts";
import type { Protocol } from "../exposure/exposed-port.ts";
import { standbyMed, standbyPreference } from "../exposure/find-router-problem.ts";
import type { ActiveHealthCheck } from "../exposure/health-check.ts";
import { type PlacedLoadBalancer, servicesOf } from "../load-balancer/balancer-config.ts";
import type { ClusterRouting } from "./cluster-routing.ts";

/** BgpConfig is the AS and the peers of an agent. */
export type BgpConfig = { asn: number; peers: BgpPeer[] };

export type BgpPeer = {
  /** The address of a single peer; otherwise callers is set. */
  address?: string;
  /** The network that dynamic peers connect from. */
  callers?: string;
  asn: number;
  description: string;
  /** For a reflector: the peer is a balancer, to which no routes are advertised. */
  isClient?: boolean;
  /** Encrypted; only the gateway can decrypt it. */
  sealedPassword?: string;
  /** The limit of routes per family. Beyond it the session ends. Absent: no limit. */
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
  /** 0: no MED is sent. */
  med: number;
  communities: string[];
  /** Its share of new connections, relative to other routes to the prefix. Absent: none is sent. */
  weight?: number;
  /** Whether a process accepts connections, rather than a data path in the kernel. */
  plain: boolean;
  leaving: boolean;
  probes: { address: string; port: number; protocol: Protocol; healthCheck: ActiveHealthCheck | null }[];
};

export type ReflectorConfig = { bgp: BgpConfig; accepts: string[] };
export type RouterConfig = { bgp: BgpConfig; accepts: string[]; keepMs: number; settleMs: number };

/** RoutingSnapshot is the cluster's BGP settings, and what the node has to offer. */
export type RoutingSnapshot = {
  nodeName: string;
  routing: ClusterRouting;
  sealedPassword: string;
  /** Other clusters that have this router too, and an exposure in common with its own. Only for routers. */
  alsoOf?: readonly Pick<RoutingSnapshot, "routing" | "sealedPassword">[] | undefined;
  /** The prefixes of the cluster's pools, which may be routed. */
  prefixes: readonly string[];
  /** The load balancers placed on the node. */
  loadBalancers: readonly PlacedLoadBalancer[];
  /** What the agent's last config announces of paused exposures. */
  kept?: readonly SpeakerService[] | undefined;
  /** Whether all traffic should move to other replicas. */
  leaving: boolean;
};

/** compileSpeaker announces a node's balancers to the reflectors, or to the routers if there are none. */
export function compileSpeaker(snapshot: RoutingSnapshot): SpeakerConfig {
  const { routing, loadBalancers, kept = [] } = snapshot;
  const { asn, reflectors, routers, preference, med = 0, communities } = routing;
  const peers =
    reflectors.length > 0
      ? reflectors.map(({ name, address }) => peerOf(snapshot, { address, asn, description: name }))
      : routers.map(({ name, address, asn }) => peerOf(snapshot, { address, asn, description: name }));
  return {
    bgp: { asn, peers: sorted(peers) },
    services: [...loadBalancers.map((each) => serviceOf(each, { preference, med, communities })), ...kept].sort(
      (a, b) => compare(a.prefix, b.prefix),
    ),
    leaving: snapshot.leaving,
    drainMs: routing.drainSeconds * 1_000,
  };
}

function serviceOf(
  loadBalancer: PlacedLoadBalancer,
  { preference, med, communities }: Pick<SpeakerService, "preference" | "med" | "communities">,
): SpeakerService {
  const { id, address, delivery, proxyProtocol, weight, standsBy, leaving = false } = loadBalancer;
  return {
    loadBalancerId: id,
    prefix: hostPrefix(address),
    preference: standsBy ? standbyPreference : preference,
    med: standsBy ? standbyMed : med,
    communities: [...communities].sort(),
    ...(weight === undefined ? {} : { weight }),
    plain: delivery === "proxy" || proxyProtocol === true,
    leaving,
    // For TCP a connection is enough; UDP needs the service's own check.
    probes: servicesOf(loadBalancer).map(({ address, port, protocol, healthCheck }) => ({
      address,
      port,
      protocol,
      healthCheck: protocol === "udp" && healthCheck?.type === "udp" ? healthCheck : null,
    })),
  };
}

/** compileReflector advertises the routes of the balancers to the cluster's routers. */
export function compileReflector(snapshot: RoutingSnapshot): ReflectorConfig {
  const { asn, balancers, routers, mostRoutes } = snapshot.routing;
  const clients = balancers.map((callers) =>
    peerOf(snapshot, { callers, asn, description: "balancers", isClient: true, mostRoutes }),
  );
  const upstream = routers.map(({ name, address, asn }) => peerOf(snapshot, { address, asn, description: name }));
  return { bgp: { asn, peers: sorted([...clients, ...upstream]) }, accepts: acceptsOf(snapshot) };
}

/**
 * compileRouter installs the routes of the reflectors in the kernel, or those of the balancers if there are no reflectors. A router of
 * several clusters has the peers of each.
 */
export function compileRouter(snapshot: RoutingSnapshot): RouterConfig {
  const { nodeName, routing, alsoOf = [] } = snapshot;
  const { asn, routers, keepSeconds, settleSeconds } = routing;
  const own = routers.find((each) => each.name === nodeName)?.asn ?? asn;
  const peers = new Map([snapshot, ...alsoOf].flatMap(sourcesOf).map((each) => [nameOf(each), each]));
  // Its own cluster decides about a peer that several have.
  for (const each of sourcesOf(snapshot)) peers.set(nameOf(each), each);
  return {
    bgp: { asn: own, peers: sorted([...peers.values()]) },
    accepts: acceptsOf(snapshot),
    keepMs: toMs(keepSeconds),
    settleMs: toMs(settleSeconds),
  };
}

/** sourcesOf returns the peers from which the routers of a cluster learn its routes. */
function sourcesOf(of: Pick<RoutingSnapshot, "routing" | "sealedPassword">): BgpPeer[] {
  const { asn, balancers, reflectors, mostRoutes } = of.routing;
  return reflectors.length > 0
    ? reflectors.map(({ name, address }) => peerOf(of, { address, asn, description: name }))
    : balancers.map((callers) => peerOf(of, { callers, asn, description: "balancers", mostRoutes }));
}

/** For an agent, 0 means that the value isn't set. */
const toMs = (seconds: number): number => Math.max(1, seconds * 1_000);

const acceptsOf = ({ prefixes }: RoutingSnapshot): string[] => [...prefixes].sort(compare);

type Known = Pick<BgpPeer, "address" | "callers" | "asn" | "description" | "isClient" | "mostRoutes">;

function peerOf(
  { routing, sealedPassword }: Pick<RoutingSnapshot, "routing" | "sealedPassword">,
  known: Known,
): BgpPeer {
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
