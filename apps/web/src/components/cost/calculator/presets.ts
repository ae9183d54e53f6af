import type { CalculatorStart } from "./search-params.ts";

export type Preset = CalculatorStart & { name: string; summary: string };

/** Example profiles. Each one is complete, and every field can be changed. */
export const presets: readonly Preset[] = [
  {
    name: "25 Mbit/s through a classic balancer",
    summary: "A steady 25 Mbit/s in N. Virginia: when is a small machine of your own cheaper?",
    profile: { averageMbps: 25 },
    providers: ["aws"],
    regions: ["us-east-1"],
    compare: ["aws-clb@us-east-1", "aws-haproxy@us-east-1", "aws-nlb@us-east-1"],
  },
  {
    name: "A small web shop",
    summary: "HTTPS with an evening peak, across two zones.",
    profile: {
      averageMbps: 8,
      peakMbps: 60,
      newConnectionsPerSecond: 15,
      connectionDurationSeconds: 30,
      requestsPerSecond: 90,
      rulesPerRequest: 5,
      protocol: "http",
      tls: "terminate",
      zones: 2,
      replicas: 3,
    },
  },
  {
    name: "A busy API with TLS",
    summary: "Two thousand new connections per second, TLS terminated at the balancer.",
    profile: {
      averageMbps: 400,
      peakMbps: 1_200,
      newConnectionsPerSecond: 2_000,
      requestsPerSecond: 12_000,
      protocol: "http",
      tls: "terminate",
      zones: 3,
      replicas: 24,
    },
  },
  {
    name: "Game servers over UDP",
    summary: "Forty servers, each with its own address.",
    profile: {
      averageMbps: 320,
      peakMbps: 900,
      newConnectionsPerSecond: 25,
      protocol: "udp",
      zones: 2,
      replicas: 40,
      exposedAs: "per-replica",
      responseShare: 0.8,
    },
    constraints: ["per-replica-addresses", "client-source-address"],
  },
  {
    name: "A Redis Cluster",
    summary: "Six instances, each of which clients must reach directly.",
    profile: {
      averageMbps: 60,
      peakMbps: 200,
      newConnectionsPerSecond: 5,
      zones: 3,
      replicas: 6,
      exposedAs: "per-replica",
      responseShare: 0.7,
    },
    constraints: ["per-replica-addresses"],
  },
];
