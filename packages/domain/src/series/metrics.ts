/** The unit of a metric; bps are bits per second, pps packets per second. */
type Unit = "ratio" | "bytes" | "count" | "bps" | "pps" | "perSecond" | "ms";

/**
 * The source of a metric: the agent of a node; a replica of our balancer, for itself, its load balancers and their backends;
 * a cloud, for the load balancers that it runs; a client of the lab.
 */
export type MetricSource = "node" | "balancer" | "cloud" | "client";

type MetricFacts = {
  unit: Unit;
  title: string;
  reportedBy: readonly [MetricSource, ...MetricSource[]];
  /** Whether the values of several series may be summed. Percentiles and ratios may not. */
  addsUp: boolean;
};

/** The catalogue of all metrics. The gateway rejects metrics that aren't listed here. */
export const metrics = {
  cpuUtilizationRatio: { unit: "ratio", title: "CPU", reportedBy: ["node"], addsUp: false },
  cpuUserRatio: { unit: "ratio", title: "CPU, user", reportedBy: ["node"], addsUp: false },
  cpuSystemRatio: { unit: "ratio", title: "CPU, system", reportedBy: ["node"], addsUp: false },
  cpuIowaitRatio: { unit: "ratio", title: "CPU, waiting for disk", reportedBy: ["node"], addsUp: false },
  cpuStealRatio: { unit: "ratio", title: "CPU, stolen", reportedBy: ["node"], addsUp: false },
  memoryUsedBytes: { unit: "bytes", title: "Memory used", reportedBy: ["node"], addsUp: true },
  memoryAvailableBytes: { unit: "bytes", title: "Memory available", reportedBy: ["node"], addsUp: true },
  memoryTotalBytes: { unit: "bytes", title: "Memory", reportedBy: ["node"], addsUp: true },
  load1: { unit: "count", title: "Load, 1 min", reportedBy: ["node"], addsUp: true },
  load5: { unit: "count", title: "Load, 5 min", reportedBy: ["node"], addsUp: true },
  load15: { unit: "count", title: "Load, 15 min", reportedBy: ["node"], addsUp: true },
  trackedConnections: { unit: "count", title: "Tracked connections", reportedBy: ["node"], addsUp: true },
  trackedConnectionsLimit: {
    unit: "count",
    title: "Tracked connections, limit",
    reportedBy: ["node"],
    addsUp: true,
  },
  interfaceReceiveBps: { unit: "bps", title: "Received", reportedBy: ["node"], addsUp: true },
  interfaceTransmitBps: { unit: "bps", title: "Sent", reportedBy: ["node"], addsUp: true },
  interfaceReceivePps: { unit: "pps", title: "Packets received", reportedBy: ["node"], addsUp: true },
  interfaceTransmitPps: { unit: "pps", title: "Packets sent", reportedBy: ["node"], addsUp: true },
  interfaceReceiveDropsPerSecond: {
    unit: "perSecond",
    title: "Received and dropped",
    reportedBy: ["node"],
    addsUp: true,
  },
  interfaceTransmitDropsPerSecond: {
    unit: "perSecond",
    title: "Dropped before sending",
    reportedBy: ["node"],
    addsUp: true,
  },
  interfaceReceiveErrorsPerSecond: { unit: "perSecond", title: "Receive errors", reportedBy: ["node"], addsUp: true },
  interfaceTransmitErrorsPerSecond: { unit: "perSecond", title: "Send errors", reportedBy: ["node"], addsUp: true },
  agentMemoryBytes: { unit: "bytes", title: "Agent memory", reportedBy: ["node"], addsUp: true },
  agentGoroutines: { unit: "count", title: "Agent goroutines", reportedBy: ["node"], addsUp: true },
  throughputBps: { unit: "bps", title: "Throughput", reportedBy: ["balancer"], addsUp: true },
  toClientsBps: { unit: "bps", title: "To clients, through the balancer", reportedBy: ["balancer"], addsUp: true },
  bothWaysBps: { unit: "bps", title: "Both ways, as its provider counts", reportedBy: ["cloud"], addsUp: true },
  packetsPerSecond: { unit: "pps", title: "Packets", reportedBy: ["balancer"], addsUp: true },
  connectionsLive: { unit: "count", title: "Live connections", reportedBy: ["balancer", "cloud"], addsUp: true },
  connectionsNewPerSecond: {
    unit: "perSecond",
    title: "New connections",
    reportedBy: ["balancer", "cloud"],
    addsUp: true,
  },
  dropsPerSecond: { unit: "perSecond", title: "Dropped", reportedBy: ["balancer"], addsUp: true },
  healthChangesPerSecond: { unit: "perSecond", title: "Health changes", reportedBy: ["balancer"], addsUp: true },
  requestsPerSecond: {
    unit: "perSecond",
    title: "Answered requests, as clients counted",
    reportedBy: ["client"],
    addsUp: true,
  },
  connectionsBroken: {
    unit: "count",
    title: "Broken connections, as clients counted",
    reportedBy: ["client"],
    addsUp: true,
  },
  latencyMsP50: { unit: "ms", title: "Set-up, median", reportedBy: ["balancer"], addsUp: false },
  latencyMsP99: { unit: "ms", title: "Set-up, p99", reportedBy: ["balancer"], addsUp: false },
  firstByteMsP50: { unit: "ms", title: "First byte, median", reportedBy: ["balancer"], addsUp: false },
  firstByteMsP99: { unit: "ms", title: "First byte, p99", reportedBy: ["balancer"], addsUp: false },
} as const satisfies Record<string, MetricFacts>;

export type MetricName = keyof typeof metrics;
export type MetricUnit = Unit;
export const metricNames = Object.keys(metrics) as [MetricName, ...MetricName[]];

export function isMetricName(name: string): name is MetricName {
  return Object.hasOwn(metrics, name);
}

/** The metrics that one source reports. */
export type MetricFrom<Source extends MetricSource> = {
  [Name in MetricName]: Source extends (typeof metrics)[Name]["reportedBy"][number] ? Name : never;
}[MetricName];

/** metricsFrom lists the metrics that one source reports. */
export function metricsFrom<Source extends MetricSource>(source: Source): MetricFrom<Source>[] {
  const isFrom = (name: MetricName): name is MetricFrom<Source> => {
    const { reportedBy }: MetricFacts = metrics[name];
    return reportedBy.includes(source);
  };
  return metricNames.filter(isFrom);
}
