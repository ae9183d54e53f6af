import { type AdaptiveConfig, type AdaptiveSnapshot, compileAdaptive } from "../load-balancer/adaptive-config.ts";
import { type BalancerConfig, type BalancerSnapshot, compileBalancer } from "../load-balancer/balancer-config.ts";
import { type BackendConfig, type BackendSnapshot, compileBackend } from "../load-balancer/session-config.ts";
import {
  compileReflector,
  compileRouter,
  compileSpeaker,
  type ReflectorConfig,
  type RouterConfig,
  type RoutingSnapshot,
  type SpeakerConfig,
} from "../routing/bgp-config.ts";
import type { NodeSettings } from "./node.ts";

/** NodeConfig is everything one agent should do. Its wire format is part of the agent protocol. */
export type NodeConfig = {
  reportIntervalMs: number;
  node: { sampleIntervalMs: number; excludedInterfaces: string[]; echo?: EchoConfig } | null;
  /** Absent: the role is off. */
  balancer?: BalancerConfig;
  speaker?: SpeakerConfig;
  reflector?: ReflectorConfig;
  router?: RouterConfig;
  backend?: BackendConfig;
  adaptive?: AdaptiveConfig;
};

/** EchoConfig is what an agent needs to measure round trips: its own id, and other nodes of the cluster. */
export type EchoConfig = { agentId: string; peers: EchoPeer[] };

/** EchoPeer is another node's agent, and where it returns datagrams. */
export type EchoPeer = { agentId: string; nodeId: string; address: string };

/** echo: absent for an agent that measures no round trips. balancer: what is placed on an agent of that role. backend: the servers of its node. adaptive: what is placed on an agent of that role. routing: the routing of the cluster, if configured. */
export type NodeSnapshot = {
  settings: NodeSettings;
  agent: { roles: string[] };
  echo?: EchoConfig;
  balancer?: BalancerSnapshot;
  backend?: BackendSnapshot;
  adaptive?: AdaptiveSnapshot;
  routing?: RoutingSnapshot;
};

/** KeptConfig is what an agent's last config has of paused exposures. */
export type KeptConfig = {
  loadBalancerIds: string[];
  balancer?: Pick<BalancerConfig, "engine" | "services">;
  speaker: SpeakerConfig["services"];
  backend: BackendConfig["servers"];
  adaptive: AdaptiveConfig["services"];
};

/** keepConfig returns what a config has of these load balancers. */
export function keepConfig({ balancer, speaker, backend, adaptive }: NodeConfig, ids: ReadonlySet<string>): KeptConfig {
  const isKept = ({ loadBalancerId }: { loadBalancerId: string }) => ids.has(loadBalancerId);
  const services = balancer?.services.filter(isKept) ?? [];
  const announced = speaker?.services.filter(isKept) ?? [];
  const servers = backend?.servers.filter(isKept) ?? [];
  const distributed = adaptive?.services.filter(isKept) ?? [];
  const all = [...services, ...announced, ...servers, ...distributed];
  return {
    loadBalancerIds: [...new Set(all.map((each) => each.loadBalancerId))],
    ...(balancer && services.length > 0 ? { balancer: { engine: balancer.engine, services } } : {}),
    speaker: announced,
    backend: servers,
    adaptive: distributed,
  };
}

/** compileNodeConfig derives the config of one agent from the state of its node. */
export function compileNodeConfig(snapshot: NodeSnapshot): NodeConfig {
  const { settings, agent, echo, balancer = { loadBalancers: [], peers: [] }, backend, adaptive, routing } = snapshot;
  const runsNode = agent.roles.includes("node");
  return {
    reportIntervalMs: settings.reportIntervalMs,
    node: runsNode
      ? {
          sampleIntervalMs: settings.sampleIntervalMs,
          excludedInterfaces: [...new Set(settings.excludedInterfaces)].sort(),
          ...(echo ? { echo } : {}),
        }
      : null,
    // Also with nothing to carry, so that the agent reports where it takes flows before anything is placed on it.
    ...(agent.roles.includes("balancer") ? { balancer: compileBalancer(balancer) } : {}),
    ...(routing && agent.roles.includes("speaker") ? { speaker: compileSpeaker(routing) } : {}),
    ...(routing && agent.roles.includes("reflector") ? { reflector: compileReflector(routing) } : {}),
    ...(routing && agent.roles.includes("router") ? { router: compileRouter(routing) } : {}),
    ...(agent.roles.includes("backend") ? { backend: compileBackend(backend ?? { servers: [] }) } : {}),
    // Also with nothing to distribute, so that the agent reports where it receives figures.
    ...(adaptive && agent.roles.includes("adaptive") ? { adaptive: compileAdaptive(adaptive) } : {}),
  };
}
