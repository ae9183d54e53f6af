import { z } from "zod";

/** The catalogue of everything measured. A metric that is not listed here is refused at the gate. */
export const metrics = {
  cpuUtilizationRatio: { unit: "ratio", title: "CPU" },
  cpuUserRatio: { unit: "ratio", title: "CPU, user" },
  cpuSystemRatio: { unit: "ratio", title: "CPU, system" },
  cpuIowaitRatio: { unit: "ratio", title: "CPU, waiting for disk" },
  cpuStealRatio: { unit: "ratio", title: "CPU, stolen" },
  memoryUsedBytes: { unit: "bytes", title: "Memory used" },
  memoryAvailableBytes: { unit: "bytes", title: "Memory available" },
  memoryTotalBytes: { unit: "bytes", title: "Memory" },
  load1: { unit: "count", title: "Load, 1 min" },
  load5: { unit: "count", title: "Load, 5 min" },
  load15: { unit: "count", title: "Load, 15 min" },
  interfaceReceiveBps: { unit: "bps", title: "Received" },
  interfaceTransmitBps: { unit: "bps", title: "Sent" },
  interfaceReceivePps: { unit: "pps", title: "Packets received" },
  interfaceTransmitPps: { unit: "pps", title: "Packets sent" },
  interfaceReceiveDropsPerSecond: { unit: "perSecond", title: "Received and dropped" },
  interfaceTransmitDropsPerSecond: { unit: "perSecond", title: "Dropped before sending" },
  interfaceReceiveErrorsPerSecond: { unit: "perSecond", title: "Receive errors" },
  interfaceTransmitErrorsPerSecond: { unit: "perSecond", title: "Send errors" },
  agentMemoryBytes: { unit: "bytes", title: "Agent memory" },
  agentGoroutines: { unit: "count", title: "Agent goroutines" },
  throughputBps: { unit: "bps", title: "Throughput" },
  toClientsBps: { unit: "bps", title: "To clients, through the balancer" },
  bothWaysBps: { unit: "bps", title: "Both ways, as its provider counts" },
  packetsPerSecond: { unit: "pps", title: "Packets" },
  connectionsLive: { unit: "count", title: "Live connections" },
  connectionsNewPerSecond: { unit: "perSecond", title: "New connections" },
  dropsPerSecond: { unit: "perSecond", title: "Dropped" },
  healthChangesPerSecond: { unit: "perSecond", title: "Health changes" },
  requestsPerSecond: { unit: "perSecond", title: "Answered requests, as clients counted" },
  connectionsBroken: { unit: "count", title: "Broken connections, as clients counted" },
  latencyMsP50: { unit: "ms", title: "Set-up, median" },
  latencyMsP99: { unit: "ms", title: "Set-up, p99" },
  firstByteMsP50: { unit: "ms", title: "First byte, median" },
  firstByteMsP99: { unit: "ms", title: "First byte, p99" },
} as const;

export type MetricName = keyof typeof metrics;
export type MetricUnit = (typeof metrics)[MetricName]["unit"];
export const metricNames = Object.keys(metrics) as MetricName[];
export const metricName = z.enum(metricNames).meta({ id: "MetricName" });

export function isMetricName(name: string): name is MetricName {
  return Object.hasOwn(metrics, name);
}
