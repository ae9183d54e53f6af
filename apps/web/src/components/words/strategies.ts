import type { StrategyType } from "@fairlead/domain";

/** What a strategy is called on screen, and what it is in a line. */
export const strategyWords: Record<StrategyType, { title: string; line: string }> = {
  "per-replica": { title: "Per replica", line: "One balancer for each instance, with an address map." },
  ecmp: { title: "ECMP", line: "Our layer-4 balancers, announced by BGP and spread by ECMP." },
  session: { title: "Session", line: "Layer 4; each TLS session stays on its backend." },
  adaptive: { title: "Adaptive", line: "Local first; moves on when a node runs short." },
  cloud: { title: "Cloud", line: "A load balancer of the cloud provider." },
};
