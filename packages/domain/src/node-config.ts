import { type BalancerConfig, type BalancerSnapshot, compileBalancer } from "./balancer-config.ts";
import type { NodeSettings } from "./node.ts";

/** NodeConfig is everything one agent should do; the wire form is in the agent protocol. */
export type NodeConfig = {
  reportIntervalMs: number;
  node: { sampleIntervalMs: number; excludedInterfaces: string[] } | null;
  /** Absent: the role is off. */
  balancer?: BalancerConfig;
};

/** balancer is what is placed on the agent, for one of that role. */
export type NodeSnapshot = { settings: NodeSettings; agent: { roles: string[] }; balancer?: BalancerSnapshot };

/** compileNodeConfig decides, from everything known about a node, what one of its agents should do. */
export function compileNodeConfig(snapshot: NodeSnapshot): NodeConfig {
  const { settings, agent, balancer = { loadBalancers: [], peers: [] } } = snapshot;
  const runsNode = agent.roles.includes("node");
  return {
    reportIntervalMs: settings.reportIntervalMs,
    node: runsNode
      ? {
          sampleIntervalMs: settings.sampleIntervalMs,
          excludedInterfaces: [...new Set(settings.excludedInterfaces)].sort(),
        }
      : null,
    // Also with nothing to carry: an agent that is ready says where it takes flows before anything is placed on it.
    ...(agent.roles.includes("balancer") ? { balancer: compileBalancer(balancer) } : {}),
  };
}
