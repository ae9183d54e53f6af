import type { NodeSettings } from "./node.ts";

/** NodeConfig is everything one agent should do; the wire form is in the agent protocol. */
export type NodeConfig = {
  reportIntervalMs: number;
  node: { sampleIntervalMs: number; excludedInterfaces: string[] } | null;
};

export type NodeSnapshot = { settings: NodeSettings; agent: { roles: string[] } };

/** compileNodeConfig decides, from everything known about a node, what one of its agents should do. */
export function compileNodeConfig(snapshot: NodeSnapshot): NodeConfig {
  const { settings, agent } = snapshot;
  const runsNode = agent.roles.includes("node");
  return {
    reportIntervalMs: settings.reportIntervalMs,
    node: runsNode
      ? {
          sampleIntervalMs: settings.sampleIntervalMs,
          excludedInterfaces: [...new Set(settings.excludedInterfaces)].sort(),
        }
      : null,
  };
}

/** canonicalJson spells equal values equally, so that equal configs have equal digests. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) => {
    if (!each || typeof each !== "object" || Array.isArray(each)) return each;
    return Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
