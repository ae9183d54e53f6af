/** What creates an exposure outside: our own agents, or Services of a Kubernetes cluster. */
export type Maker = "agents" | "services";

/** How a load balancer is paid: by machines of ours, as a provider's product, or with nodes that run anyway. */
export type PaidAs = "machines" | "product" | "with-nodes";

type StrategyFacts = {
  title: string;
  summary: string;
  /** When to choose it. */
  when: string;
  madeBy: Maker | "addressing";
  paidAs: PaidAs | "addressing";
  /** What the load balancers represent: the whole workload, or one instance each. */
  balancers: "one" | "per-replica";
  /** Whether its spec selects the engine, the delivery and the scheduler. */
  hasEngine: boolean;
  /** Whether all backends are stored instances, regardless of the reporter. */
  byInstances: boolean;
  tls: "none" | "passthrough";
};

/** The ways of exposing a workload, in the order in which they are offered. */
export const strategies = {
  ecmp: {
    title: "ECMP",
    summary: "Self-hosted layer 4 balancers, announced by BGP, with traffic spread by ECMP.",
    when: "For services with interchangeable instances, with a router that speaks BGP. Throughput grows with every balancer.",
    madeBy: "agents",
    paidAs: "machines",
    balancers: "one",
    hasEngine: true,
    byInstances: true,
    tls: "none",
  },
  "per-replica": {
    title: "Per replica",
    summary: "One balancer per instance, with an address map.",
    when: "For databases and caches whose clients select an instance. Each instance gets its own address.",
    madeBy: "addressing",
    paidAs: "addressing",
    balancers: "per-replica",
    hasEngine: false,
    byInstances: false,
    tls: "none",
  },
  session: {
    title: "Session",
    summary: "Layer 4. Each TLS session stays on its backend.",
    when: "For TLS services with session state. A returning client reaches the same instance, without decryption.",
    madeBy: "agents",
    paidAs: "machines",
    balancers: "one",
    hasEngine: false,
    byInstances: true,
    tls: "passthrough",
  },
  adaptive: {
    title: "Adaptive",
    summary: "Local first. Uses other nodes when a node runs short.",
    when: "For services that other workloads of the cluster call. Requests are answered on the same node until another one is faster.",
    madeBy: "agents",
    paidAs: "with-nodes",
    balancers: "one",
    hasEngine: false,
    byInstances: true,
    tls: "none",
  },
  cloud: {
    title: "Cloud",
    summary: "A load balancer of the cloud provider.",
    when: "For clusters where a cloud load balancer is enough, or the only option.",
    madeBy: "services",
    paidAs: "product",
    balancers: "one",
    hasEngine: false,
    byInstances: false,
    tls: "none",
  },
} as const satisfies Record<string, StrategyFacts>;

export type StrategyType = keyof typeof strategies;
export const strategyTypes = Object.keys(strategies) as [StrategyType, ...StrategyType[]];

/** The strategies whose spec selects an engine. */
export type EngineStrategyType = {
  [Name in StrategyType]: (typeof strategies)[Name]["hasEngine"] extends true ? Name : never;
}[StrategyType];

type AddressingFacts = {
  summary: string;
  madeBy: Maker;
  paidAs: PaidAs;
  /** Whether each instance has an external address or port of its own, which can be kept while it is gone. */
  isOwn: boolean;
};

/** Where the instances of the strategy per-replica are reached. */
export const addressings = {
  dedicated: { summary: "an address for each instance", madeBy: "services", paidAs: "product", isOwn: true },
  "shared-port": {
    summary: "one address, a port for each instance",
    madeBy: "services",
    paidAs: "product",
    isOwn: false,
  },
  "shared-sni": {
    summary: "one address and port, distinguished by TLS server name",
    madeBy: "agents",
    paidAs: "machines",
    isOwn: false,
  },
  "node-port": {
    summary: "the node's address, a port for each instance",
    madeBy: "services",
    paidAs: "with-nodes",
    isOwn: true,
  },
  balancer: {
    summary: "an address for each instance, by self-hosted balancers",
    madeBy: "agents",
    paidAs: "machines",
    isOwn: true,
  },
} as const satisfies Record<string, AddressingFacts>;

export type Addressing = keyof typeof addressings;
export const addressingNames = Object.keys(addressings) as [Addressing, ...Addressing[]];

/** isSharedService reports whether one Service has all instances behind it. */
export function isSharedService(addressing: Addressing): boolean {
  const { madeBy, isOwn } = addressings[addressing];
  return madeBy === "services" && !isOwn;
}

/** isInstanceBalancer reports whether each instance has a balancer of ours in front of it. */
export function isInstanceBalancer(addressing: Addressing): boolean {
  const { madeBy, isOwn } = addressings[addressing];
  return madeBy === "agents" && isOwn;
}
