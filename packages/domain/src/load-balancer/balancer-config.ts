import { canonicalJson } from "../canonical-json.ts";
import { anyEngine } from "../exposure/engines.ts";
import type { ExposedPort, Protocol } from "../exposure/exposed-port.ts";
import { type ActiveHealthCheck, checkOf, type HealthCheck } from "../exposure/health-check.ts";
import { serverNameOf } from "../exposure/named-balancer.ts";
import type { Backend } from "./load-balancer.ts";
import type { SessionBackendConfig, SessionServiceConfig, SessionState } from "./session-config.ts";

/** BalancerConfig is the desired state of one agent of the role balancer. */
export type BalancerConfig = { engine: string; services: BalancerService[]; peers: BalancerPeer[] };

export type BalancerService = {
  loadBalancerId: string;
  exposureId: string;
  address: string;
  port: number;
  protocol: Protocol;
  /** Empty for the engine's default. */
  delivery: string;
  /** Absent for the engine's default. */
  scheduler?: string;
  /** Absent for false. */
  proxyProtocol?: boolean;
  /** Absent for false. */
  sampleClients?: boolean;
  /** Whether new connections go where one more request costs least. Absent for false. */
  byCost?: true;
  healthCheck: ActiveHealthCheck | null;
  backends: {
    id: string;
    address: string;
    port: number;
    weight: number;
    state: Backend["state"];
    /** The TLS server names that lead to it. Absent if names don't matter. */
    serverNames?: string[];
    /** Absent if it can't take connections by TLS session. */
    session?: SessionBackendConfig;
    /** Whether clients of its TLS sessions return while it drains. Absent for false. */
    returns?: true;
    /** Whether it is one of another cluster, whose connections may move here. Absent for false. */
    elsewhere?: true;
  }[];
  /** Absent unless connections are placed by TLS session. */
  session?: SessionServiceConfig;
  /** The peers that carry it too. Absent for all peers of the agent. */
  peers?: { agentIds: string[] };
};

/** Another replica that clients of these services may arrive at. */
export type BalancerPeer = { agentId: string; address: string };

/** PlacedLoadBalancer is a load balancer with all that an agent needs to carry it. */
export type PlacedLoadBalancer = {
  id: string;
  exposureId: string;
  address: string;
  ports: Pick<ExposedPort, "port" | "targetPort" | "protocol">[];
  engine?: string | undefined;
  delivery?: string | undefined;
  scheduler?: string | undefined;
  proxyProtocol?: boolean | undefined;
  sampleClients?: boolean | undefined;
  byCost?: true | undefined;
  /** The share of new connections of each replica, relative to those of other clusters; absent if it spans no others. */
  weight?: number | undefined;
  /** The zone of the instances' server names, if there are any. */
  zone?: string | undefined;
  healthCheck: HealthCheck | null;
  /** How to place connections by TLS session, if that is requested and the cluster has a key. */
  session?: SessionServiceConfig | undefined;
  /** Whether it is being deleted, and carries only its last connections. */
  leaving?: boolean | undefined;
  backends: (Omit<BalancerService["backends"][number], "serverNames"> & { protocol: Protocol; instance: string })[];
};

/**
 * carriers: the agents of each load balancer; absent for all peers. kept: what the agent's last config has of paused
 * exposures. session: what kept services need of the present.
 */
export type BalancerSnapshot = {
  loadBalancers: readonly PlacedLoadBalancer[];
  peers: readonly BalancerPeer[];
  carriers?: ReadonlyMap<string, readonly string[]> | undefined;
  kept?: Pick<BalancerConfig, "engine" | "services"> | undefined;
  session?: SessionState | undefined;
};

/** Unspecified addresses, from an agent that listens on all of its addresses and doesn't know which one to report. */
const unspecifiedAddress = /^(\[::\]|0\.0\.0\.0)?:/;

/** compileBalancer sorts an agent's services, because the digest of the config depends on their order. */
export function compileBalancer({ loadBalancers, peers, carriers, kept, session }: BalancerSnapshot): BalancerConfig {
  const reachable = peers
    .filter((each) => each.address !== "" && !unspecifiedAddress.test(each.address))
    .map(({ agentId, address }) => ({ agentId, address }))
    .sort((a, b) => compare(a.agentId, b.agentId));
  // Also of what is kept: where it is carried is not part of its spec.
  const services = [...loadBalancers.flatMap(servicesOf), ...keepSession(kept?.services ?? [], session)].map(
    ({ peers: _, ...service }): BalancerService => ({
      ...service,
      ...scopeOf(reachable, carriers?.get(service.loadBalancerId)),
    }),
  );
  return {
    // Another engine would break the connections of what is kept.
    engine: kept && kept.engine !== anyEngine ? kept.engine : engineOf(loadBalancers),
    services: services.sort((a, b) => compare(keyOf(a), keyOf(b))),
    peers: reachable,
  };
}

/** keepSession renews keys and where backends take connections: these aren't part of a paused spec either. */
function keepSession(kept: readonly BalancerService[], state: SessionState | undefined): BalancerService[] {
  return kept.map((service) => {
    if (!service.session) return service;
    const session = { ...service.session, sealedKeys: state?.sealedKeys ?? service.session.sealedKeys };
    const backends = service.backends.map(({ session: _, ...backend }) => {
      const taking = state?.backends.get(backend.id);
      return taking ? { ...backend, session: taking } : backend;
    });
    return { ...service, session, backends };
  });
}

/** scopeOf is empty if all peers carry a load balancer, as most do, to keep configs small. */
function scopeOf(
  peers: readonly BalancerPeer[],
  carriers: readonly string[] | undefined,
): Pick<BalancerService, "peers"> {
  if (!carriers || peers.every((each) => carriers.includes(each.agentId))) return {};
  return { peers: { agentIds: peers.map((each) => each.agentId).filter((agentId) => carriers.includes(agentId)) } };
}

/** servicesOf returns one service for each port of a load balancer. */
export function servicesOf(loadBalancer: PlacedLoadBalancer): BalancerService[] {
  const { id, exposureId, address, ports, delivery = "", scheduler, healthCheck } = loadBalancer;
  const { proxyProtocol, sampleClients, byCost, session } = loadBalancer;
  // Agents reject a config in which a service by session translates addresses.
  const placed = delivery === "nat" ? undefined : session;
  return ports.map(({ port, targetPort = port, protocol }) => ({
    loadBalancerId: id,
    exposureId,
    address,
    port,
    protocol,
    delivery,
    ...(scheduler ? { scheduler } : {}),
    // The PROXY protocol starts a connection, and UDP has none.
    ...(proxyProtocol && protocol === "tcp" ? { proxyProtocol } : {}),
    ...(sampleClients ? { sampleClients } : {}),
    ...(byCost ? { byCost } : {}),
    ...(placed && protocol === "tcp" ? { session: placed } : {}),
    healthCheck: checkOf(healthCheck, protocol),
    backends: loadBalancer.backends
      .filter((each) => each.protocol === protocol && each.port === targetPort)
      .flatMap(({ instance, protocol: _, session: taking, returns, ...rest }) => {
        const backend = {
          ...rest,
          // A proxy connects to a backend as any client does.
          ...(taking && placed && delivery !== "proxy" ? { session: taking } : {}),
          ...(returns && placed ? { returns } : {}),
        };
        if (loadBalancer.zone === undefined) return [backend];
        const name = serverNameOf(instance, loadBalancer.zone);
        return name === null ? [] : [{ ...backend, serverNames: [name] }];
      })
      .sort((a, b) => compare(a.id, b.id)),
  }));
}

/** engineOf is the one engine of an agent: that of the oldest balancer that requires a certain engine. */
function engineOf(loadBalancers: readonly PlacedLoadBalancer[]): string {
  const requiring = loadBalancers.filter((each) => each.engine && each.engine !== anyEngine);
  requiring.sort((a, b) => compare(a.id, b.id));
  return requiring[0]?.engine ?? anyEngine;
}

function keyOf({ address, port, protocol }: BalancerService): string {
  return canonicalJson([address, port, protocol]);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
