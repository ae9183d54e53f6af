import type { Protocol } from "../exposure/exposed-port.ts";
import { type ActiveHealthCheck, checkOf } from "../exposure/health-check.ts";
import type { PlacedLoadBalancer } from "./balancer-config.ts";
import type { Backend } from "./load-balancer.ts";
import type { SealedSessionKeys } from "./session-config.ts";

/** AdaptiveConfig is the desired state of one agent of the role adaptive. */
export type AdaptiveConfig = {
  nodeId: string;
  /** Of the addresses from which clients at this node connect. */
  prefixes: string[];
  services: AdaptiveService[];
  peers: AdaptivePeer[];
  /** The cluster's, from which the gateway derives those that sign figures. null before the first. */
  sealedKeys: SealedSessionKeys | null;
};

export type AdaptiveService = {
  loadBalancerId: string;
  exposureId: string;
  address: string;
  port: number;
  protocol: Protocol;
  healthCheck: ActiveHealthCheck | null;
  endsConnections: boolean;
  backends: {
    id: string;
    address: string;
    port: number;
    /** 0 for standby. */
    weight: number;
    state: Backend["state"];
    nodeId: string;
  }[];
};

/** AdaptivePeer is another node with such an agent, and where that receives figures. */
export type AdaptivePeer = { agentId: string; nodeId: string; address: string; prefixes: string[] };

/** AdaptiveBalancer is a load balancer with all that an agent of the role adaptive needs to carry it. */
export type AdaptiveBalancer = Pick<PlacedLoadBalancer, "id" | "exposureId" | "address" | "ports" | "healthCheck"> & {
  endsConnections: boolean;
  backends: (AdaptiveService["backends"][number] & { protocol: Protocol })[];
};

/** kept: what the agent's last config has of paused exposures. prefixes: of all nodes. */
export type AdaptiveSnapshot = {
  nodeId: string;
  loadBalancers: readonly AdaptiveBalancer[];
  peers: readonly Omit<AdaptivePeer, "prefixes">[];
  prefixes: ReadonlyMap<string, readonly string[]>;
  sealedKeys: SealedSessionKeys | null;
  kept?: readonly AdaptiveService[] | undefined;
};

/** The limit of peers of an agent. It rejects a config with more. */
export const mostAdaptivePeers = 465;

/** compileAdaptive sorts services and peers, because the digest of the config depends on their order. */
export function compileAdaptive(snapshot: AdaptiveSnapshot): AdaptiveConfig {
  const { nodeId, loadBalancers, peers, prefixes, sealedKeys, kept = [] } = snapshot;
  const services = [...loadBalancers.flatMap(adaptiveServicesOf), ...kept];
  const prefixesOf = (id: string) => [...(prefixes.get(id) ?? [])].sort();
  const reachable = peers
    .filter((each) => each.nodeId !== nodeId && each.address !== "")
    .sort((a, b) => compare(a.nodeId, b.nodeId))
    .slice(0, mostAdaptivePeers);
  return {
    nodeId,
    prefixes: prefixesOf(nodeId),
    services: services.sort((a, b) => compare(keyOf(a), keyOf(b))),
    // Without a key, figures can't be signed.
    peers: sealedKeys ? reachable.map((each) => ({ ...each, prefixes: prefixesOf(each.nodeId) })) : [],
    sealedKeys,
  };
}

/** adaptiveServicesOf returns one service for each port of a load balancer. */
export function adaptiveServicesOf(loadBalancer: AdaptiveBalancer): AdaptiveService[] {
  const { id, exposureId, address, ports, healthCheck, endsConnections, backends } = loadBalancer;
  return ports.map(({ port, targetPort = port, protocol }) => ({
    loadBalancerId: id,
    exposureId,
    address,
    port,
    protocol,
    healthCheck: checkOf(healthCheck, protocol),
    endsConnections,
    backends: backends
      .filter((each) => each.protocol === protocol && each.port === targetPort)
      .map(({ protocol: _, ...backend }) => backend)
      .sort((a, b) => compare(a.id, b.id)),
  }));
}

function keyOf({ address, port, protocol }: AdaptiveService): string {
  return `${address} ${protocol} ${port}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
