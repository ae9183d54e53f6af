import type { CloudMeasured } from "@fairlead/domain";

/** By which metric of AWS something is known: what it adds up or averages in a minute, and what that comes to. */
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
 * What of each kind means what our metrics mean. A classic one has nothing for live connections: its estimate of an
 * Application Load Balancer's counts those to machines as well. What it counts as requests are connections where no listener
 * reads HTTP: classicPage leaves the metric out where one does.
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
