import { canonicalJson } from "../canonical-json.ts";
import { anyEngine } from "../exposure/engines.ts";
import type { ExposedPort, Protocol } from "../exposure/exposed-port.ts";
import { type ActiveHealthCheck, checkOf, type HealthCheck } from "../exposure/health-check.ts";
import { serverNameOf } from "../exposure/named-balancer.ts";
import type { Backend } from "./load-balancer.ts";

/** BalancerConfig is everything that one agent of the role balancer should carry. */
export type BalancerConfig = { engine: string; services: BalancerService[]; peers: BalancerPeer[] };

export type BalancerService = {
  loadBalancerId: string;
  exposureId: string;
  address: string;
  port: number;
  protocol: Protocol;
  /** Empty for the best that the engine has. */
  delivery: string;
  /** Absent for the engine's own. */
  scheduler?: string;
  /** Absent for no. */
  proxyProtocol?: boolean;
  healthCheck: ActiveHealthCheck | null;
  backends: {
    id: string;
    address: string;
    port: number;
    weight: number;
    state: Backend["state"];
    /** Under which TLS clients ask for it. Absent where any will do. */
    serverNames?: string[];
  }[];
};

/** Another replica that clients of these services may arrive at. */
export type BalancerPeer = { agentId: string; address: string };

/** PlacedLoadBalancer is a balancer with all that an agent must know to carry it. */
export type PlacedLoadBalancer = {
  id: string;
  exposureId: string;
  address: string;
  ports: Pick<ExposedPort, "port" | "targetPort" | "protocol">[];
  engine?: string | undefined;
  delivery?: string | undefined;
  scheduler?: string | undefined;
  proxyProtocol?: boolean | undefined;
  /** Where instances have names that TLS clients ask for. */
  zone?: string | undefined;
  healthCheck: HealthCheck | null;
  /** It is being deleted, and carries what is left. */
  leaving?: boolean | undefined;
  backends: (Omit<BalancerService["backends"][number], "serverNames"> & { protocol: Protocol; instance: string })[];
};

export type BalancerSnapshot = { loadBalancers: readonly PlacedLoadBalancer[]; peers: readonly BalancerPeer[] };

/** What an agent says that listens everywhere, and knows no address of its own. */
const namesNobody = /^(\[::\]|0\.0\.0\.0)?:/;

/** compileBalancer writes an agent's services in one order, whatever order they were found in: the digest depends on it. */
export function compileBalancer({ loadBalancers, peers }: BalancerSnapshot): BalancerConfig {
  return {
    engine: engineOf(loadBalancers),
    services: loadBalancers.flatMap(servicesOf).sort((a, b) => compare(keyOf(a), keyOf(b))),
    peers: peers
      .filter((each) => each.address !== "" && !namesNobody.test(each.address))
      .map(({ agentId, address }) => ({ agentId, address }))
      .sort((a, b) => compare(a.agentId, b.agentId)),
  };
}

/** servicesOf is one service for each port of a balancer. */
export function servicesOf(loadBalancer: PlacedLoadBalancer): BalancerService[] {
  const { id, exposureId, address, ports, delivery = "", scheduler, proxyProtocol, healthCheck } = loadBalancer;
  return ports.map(({ port, targetPort = port, protocol }) => ({
    loadBalancerId: id,
    exposureId,
    address,
    port,
    protocol,
    delivery,
    ...(scheduler ? { scheduler } : {}),
    // UDP has nothing that it could stand in front of.
    ...(proxyProtocol && protocol === "tcp" ? { proxyProtocol } : {}),
    healthCheck: checkOf(healthCheck, protocol),
    backends: loadBalancer.backends
      .filter((each) => each.protocol === protocol && each.port === targetPort)
      .flatMap(({ instance, protocol: _, ...backend }) => {
        if (loadBalancer.zone === undefined) return [backend];
        const name = serverNameOf(instance, loadBalancer.zone);
        return name === null ? [] : [{ ...backend, serverNames: [name] }];
      })
      .sort((a, b) => compare(a.id, b.id)),
  }));
}

/** engineOf is the one engine that an agent runs: that of the oldest balancer that insists on one. */
function engineOf(loadBalancers: readonly PlacedLoadBalancer[]): string {
  const insisting = loadBalancers.filter((each) => each.engine && each.engine !== anyEngine);
  insisting.sort((a, b) => compare(a.id, b.id));
  return insisting[0]?.engine ?? anyEngine;
}

function keyOf({ address, port, protocol }: BalancerService): string {
  return canonicalJson([address, port, protocol]);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
