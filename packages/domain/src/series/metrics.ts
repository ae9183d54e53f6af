/**
 * The units of metrics, with the greatest value that a host can have; none has negative values. bps are bits per second, pps
 * packets per second. The fastest links of 2026 carry 1.6 Tbit/s; a ratio may exceed 1 a little, because clocks differ.
 */
const units = {
  ratio: { most: 1.1 },
  bytes: { most: 2 ** 60 },
  count: { most: 1e12 },
  bps: { most: 1e13 },
  pps: { most: 1e11 },
  perSecond: { most: 1e11 },
  ms: { most: 24 * 3_600_000 },
} as const;
type Unit = keyof typeof units;

/**
 * The source of a metric: the agent of a node; a replica of our balancer, for itself, its load balancers and their backends;
 * and of connections that it places by TLS session; the agent next to a backend; a cloud, for the load balancers that it runs; a client of the lab;
 * the state of an agent of the role adaptive, for the load balancers whose connections it distributes.
 */
export type MetricSource = "node" | "balancer" | "session" | "backend" | "cloud" | "client" | "adaptive";

/** What a series is about: a whole node, a load balancer, or one of its backends. */
export type MetricLevel = "node" | "balancer" | "backend";

export type MetricFacts = {
  unit: Unit;
  title: string;
  reportedBy: readonly [MetricSource, ...MetricSource[]];
  levels: readonly [MetricLevel, ...MetricLevel[]];
  /** Whether the values of several series may be summed. Percentiles and ratios may not. */
  addsUp: boolean;
};

/** A replica of our balancer reports the same metrics for itself, its load balancers and their backends. */
const everyLevel = ["node", "balancer", "backend"] as const;

/** The catalogue of all metrics. The gateway rejects metrics that aren't listed here. */
export const metrics = {
  cpuUtilizationRatio: { unit: "ratio", title: "CPU", reportedBy: ["node"], levels: ["node"], addsUp: false },
  cpuUserRatio: { unit: "ratio", title: "CPU, user", reportedBy: ["node"], levels: ["node"], addsUp: false },
  cpuSystemRatio: { unit: "ratio", title: "CPU, system", reportedBy: ["node"], levels: ["node"], addsUp: false },
  cpuIowaitRatio: {
    unit: "ratio",
    title: "CPU, waiting for disk",
    reportedBy: ["node"],
    levels: ["node"],
    addsUp: false,
  },
  cpuStealRatio: { unit: "ratio", title: "CPU, stolen", reportedBy: ["node"], levels: ["node"], addsUp: false },
  cpuPressureRatio: {
    unit: "ratio",
    title: "Pressure, CPU",
    reportedBy: ["node"],
    levels: ["node"],
    addsUp: false,
  },
  memoryPressureRatio: {
    unit: "ratio",
    title: "Pressure, memory",
    reportedBy: ["node"],
    levels: ["node"],
    addsUp: false,
  },
  memoryPressureFullRatio: {
    unit: "ratio",
    title: "Pressure, memory, all processes",
    reportedBy: ["node"],
    levels: ["node"],
    addsUp: false,
  },
  ioPressureRatio: { unit: "ratio", title: "Pressure, disk", reportedBy: ["node"], levels: ["node"], addsUp: false },
  ioPressureFullRatio: {
    unit: "ratio",
    title: "Pressure, disk, all processes",
    reportedBy: ["node"],
    levels: ["node"],
    addsUp: false,
  },
  memoryUsedBytes: { unit: "bytes", title: "Memory used", reportedBy: ["node"], levels: ["node"], addsUp: true },
  memoryAvailableBytes: {
    unit: "bytes",
    title: "Memory available",
    reportedBy: ["node"],
    levels: ["node"],
    addsUp: true,
  },
  memoryTotalBytes: { unit: "bytes", title: "Memory", reportedBy: ["node"], levels: ["node"], addsUp: true },
  load1: { unit: "count", title: "Load, 1 min", reportedBy: ["node"], levels: ["node"], addsUp: true },
  load5: { unit: "count", title: "Load, 5 min", reportedBy: ["node"], levels: ["node"], addsUp: true },
  load15: { unit: "count", title: "Load, 15 min", reportedBy: ["node"], levels: ["node"], addsUp: true },
  trackedConnections: {
    unit: "count",
    title: "Tracked connections",
    reportedBy: ["node"],
    levels: ["node"],
    addsUp: true,
  },
  trackedConnectionsLimit: {
    unit: "count",
    title: "Tracked connections, limit",
    reportedBy: ["node"],
    levels: ["node"],
    addsUp: true,
  },
  interfaceReceiveBps: { unit: "bps", title: "Received", reportedBy: ["node"], levels: ["node"], addsUp: true },
  interfaceTransmitBps: { unit: "bps", title: "Sent", reportedBy: ["node"], levels: ["node"], addsUp: true },
  interfaceReceivePps: { unit: "pps", title: "Packets received", reportedBy: ["node"], levels: ["node"], addsUp: true },
  interfaceTransmitPps: { unit: "pps", title: "Packets sent", reportedBy: ["node"], levels: ["node"], addsUp: true },
  interfaceReceiveDropsPerSecond: {
    unit: "perSecond",
    title: "Received and dropped",
    reportedBy: ["node"],
    levels: ["node"],
    addsUp: true,
  },
  interfaceTransmitDropsPerSecond: {
    unit: "perSecond",
    title: "Dropped before sending",
    reportedBy: ["node"],
    levels: ["node"],
    addsUp: true,
  },
  interfaceReceiveErrorsPerSecond: {
    unit: "perSecond",
    title: "Receive errors",
    reportedBy: ["node"],
    levels: ["node"],
    addsUp: true,
  },
  interfaceTransmitErrorsPerSecond: {
    unit: "perSecond",
    title: "Send errors",
    reportedBy: ["node"],
    levels: ["node"],
    addsUp: true,
  },
  roundTripMs: {
    unit: "ms",
    title: "Round trip to another node",
    reportedBy: ["node"],
    levels: ["node"],
    addsUp: false,
  },
  agentMemoryBytes: { unit: "bytes", title: "Agent memory", reportedBy: ["node"], levels: ["node"], addsUp: true },
  agentGoroutines: { unit: "count", title: "Agent goroutines", reportedBy: ["node"], levels: ["node"], addsUp: true },
  throughputBps: { unit: "bps", title: "Throughput", reportedBy: ["balancer"], levels: everyLevel, addsUp: true },
  toClientsBps: {
    unit: "bps",
    title: "To clients, through the balancer",
    reportedBy: ["balancer"],
    levels: everyLevel,
    addsUp: true,
  },
  bothWaysBps: {
    unit: "bps",
    title: "Both ways, as its provider counts",
    reportedBy: ["cloud"],
    levels: ["balancer"],
    addsUp: true,
  },
  packetsPerSecond: { unit: "pps", title: "Packets", reportedBy: ["balancer"], levels: everyLevel, addsUp: true },
  connectionsLive: {
    unit: "count",
    title: "Live connections",
    reportedBy: ["balancer", "cloud", "adaptive"],
    levels: everyLevel,
    addsUp: true,
  },
  connectionsNewPerSecond: {
    unit: "perSecond",
    title: "New connections",
    reportedBy: ["balancer", "cloud"],
    levels: everyLevel,
    addsUp: true,
  },
  dropsPerSecond: { unit: "perSecond", title: "Dropped", reportedBy: ["balancer"], levels: everyLevel, addsUp: true },
  healthChangesPerSecond: {
    unit: "perSecond",
    title: "Health changes",
    reportedBy: ["balancer"],
    levels: everyLevel,
    addsUp: true,
  },
  sessionHellosPerSecond: {
    unit: "perSecond",
    title: "TLS hellos",
    reportedBy: ["session"],
    levels: ["balancer"],
    addsUp: true,
  },
  sessionSynsPerSecond: {
    unit: "perSecond",
    title: "SYNs answered by cookie",
    reportedBy: ["session"],
    levels: ["balancer"],
    addsUp: true,
  },
  sessionQuestionsPerSecond: {
    unit: "perSecond",
    title: "Connections searched at backends",
    reportedBy: ["session"],
    levels: ["balancer"],
    addsUp: true,
  },
  sessionIdSearchesPerSecond: {
    unit: "perSecond",
    title: "Session ids searched at backends",
    reportedBy: ["session"],
    levels: ["balancer"],
    addsUp: true,
  },
  sessionHeldHellos: {
    unit: "count",
    title: "TLS hellos that wait",
    reportedBy: ["session"],
    levels: ["balancer"],
    addsUp: true,
  },
  sessionAcceptedPerSecond: {
    unit: "perSecond",
    title: "Connections taken by TLS session",
    reportedBy: ["backend"],
    levels: ["backend"],
    addsUp: true,
  },
  localShareRatio: {
    unit: "ratio",
    title: "New connections that stayed on their node",
    reportedBy: ["adaptive"],
    levels: ["balancer"],
    addsUp: false,
  },
  sentToOtherNodesPerSecond: {
    unit: "perSecond",
    title: "New connections to other nodes",
    reportedBy: ["adaptive"],
    levels: ["balancer"],
    addsUp: true,
  },
  roundTripsMsPerSecond: {
    unit: "perSecond",
    title: "Round trips of new connections, in ms",
    reportedBy: ["adaptive"],
    levels: ["balancer"],
    addsUp: true,
  },
  evenRoundTripsMsPerSecond: {
    unit: "perSecond",
    title: "Round trips of new connections by an even choice, in ms",
    reportedBy: ["adaptive"],
    levels: ["balancer"],
    addsUp: true,
  },
  requestsPerSecond: {
    unit: "perSecond",
    title: "Answered requests, as clients counted",
    reportedBy: ["client"],
    levels: ["node"],
    addsUp: true,
  },
  connectionsBroken: {
    unit: "count",
    title: "Broken connections, as clients counted",
    reportedBy: ["client"],
    levels: ["node"],
    addsUp: true,
  },
  latencyMsP50: { unit: "ms", title: "Set-up, median", reportedBy: ["balancer"], levels: everyLevel, addsUp: false },
  latencyMsP99: { unit: "ms", title: "Set-up, p99", reportedBy: ["balancer"], levels: everyLevel, addsUp: false },
  firstByteMsP50: {
    unit: "ms",
    title: "First byte, median",
    reportedBy: ["balancer"],
    levels: everyLevel,
    addsUp: false,
  },
  firstByteMsP99: { unit: "ms", title: "First byte, p99", reportedBy: ["balancer"], levels: everyLevel, addsUp: false },
} as const satisfies Record<string, MetricFacts>;

export type MetricName = keyof typeof metrics;
export type MetricUnit = Unit;
export const metricNames = Object.keys(metrics) as [MetricName, ...MetricName[]];

export function isMetricName(name: string): name is MetricName {
  return Object.hasOwn(metrics, name);
}

/** isPossible reports whether a host can have measured this value. */
export function isPossible(metric: MetricName, value: number): boolean {
  return value >= 0 && value <= units[metrics[metric].unit].most;
}
