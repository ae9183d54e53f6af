import type { StrategyType } from "@fairlead/domain";

/** When to choose which strategy, in the order they are offered. What each is stands in words/strategies. */
export const strategyChoices: readonly { type: StrategyType; when: string }[] = [
  {
    type: "ecmp",
    when: "For a service that any instance can answer, with a router that speaks BGP: throughput grows with every balancer.",
  },
  {
    type: "per-replica",
    when: "For databases and caches whose clients pick their instance: each gets an address of its own.",
  },
  {
    type: "session",
    when: "For TLS services that keep state by session: a returning client meets the same instance, and nothing is decrypted.",
  },
  {
    type: "adaptive",
    when: "For workloads on every node that should answer locally until their node runs short of CPU or memory.",
  },
  { type: "cloud", when: "Where the cloud's own balancer will do, or nothing else can take an address there." },
];

export const addressingChoices = [
  ["dedicated", "an address for each instance"],
  ["shared-port", "one address, a port for each instance"],
  ["shared-sni", "one address and port, told apart by TLS server name"],
  ["node-port", "the node's address, a port for each instance"],
  ["balancer", "an address for each instance, by balancers of our own"],
] as const;
