import type { CloudMeasured } from "@fairlead/domain/cloud";

/** The AWS metric for one of ours: its statistic per minute, and the conversion. */
export type Source = { name: string; stat: "Sum" | "Average"; toValue: (minute: number) => number };

export type BalancerKind = "network" | "classic";

const perSecond = (sum: number) => sum / 60;
const bitsPerSecond = (bytes: number) => (bytes * 8) / 60;
const asItIs = (average: number) => average;

export const namespaces: Record<BalancerKind, { namespace: string; dimension: string }> = {
  network: { namespace: "AWS/NetworkELB", dimension: "LoadBalancer" },
  classic: { namespace: "AWS/ELB", dimension: "LoadBalancerName" },
};

/**
 * The AWS metrics that match ours, by type. A classic load balancer has none for live connections: its estimate for a migration to an
 * Application Load Balancer includes those to targets. Its requests are connections if no listener parses HTTP: classicPage
 * omits the metric otherwise.
 */
export const sources: Record<BalancerKind, Partial<Record<CloudMeasured, Source>>> = {
  network: {
    bothWaysBps: { name: "ProcessedBytes", stat: "Sum", toValue: bitsPerSecond },
    connectionsLive: { name: "ActiveFlowCount", stat: "Average", toValue: asItIs },
    connectionsNewPerSecond: { name: "NewFlowCount", stat: "Sum", toValue: perSecond },
  },
  classic: {
    bothWaysBps: { name: "EstimatedProcessedBytes", stat: "Sum", toValue: bitsPerSecond },
    connectionsNewPerSecond: { name: "RequestCount", stat: "Sum", toValue: perSecond },
  },
};

export function isKind(kind: string): kind is BalancerKind {
  return Object.hasOwn(sources, kind);
}
