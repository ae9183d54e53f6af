import type { CloudCredentials, CloudMeasured, CloudMetrics } from "@fairlead/domain";

/** FoundBalancer is a load balancer of the cloud, by the name that its clients use. */
export type FoundBalancer = {
  /** As it was asked for. */
  address: string;
  /** In the cloud's words. */
  kind: string;
  /** By which the cloud's metrics name it. */
  id: string;
  /** What the cloud measures of it. Of anything else there is no series: nothing isn't zero. */
  metrics: readonly CloudMeasured[];
  /** When the cloud made it. */
  since: Date;
};

/** A sentence on a load balancer that isn't read, while others are. */
export type BalancerProblem = { address: string; message: string };

/** Whole minutes. What the cloud says nothing of before quietBefore was nothing; of later minutes it may yet say something. */
export type Span = { from: Date; to: Date; quietBefore: Date };

/** What was measured of one load balancer, by minutes. A minute that isn't there is unknown. */
export type MeasuredSeries = {
  address: string;
  metric: CloudMeasured;
  atMs: number[];
  values: number[];
  /** Why minutes before quietBefore are unknown; empty where none is. */
  problem: string;
};

/**
 * CloudMetricsDriver reads what a cloud measured of the load balancers that it runs. It changes nothing, and remembers nothing.
 * It throws CloudRefused for what somebody has to change, and anything else for what may be over by itself.
 */
export interface CloudMetricsDriver {
  find(
    addresses: readonly string[],
    signal: AbortSignal,
  ): Promise<{ found: FoundBalancer[]; problems: BalancerProblem[] }>;
  /** read answers one series for each metric of each balancer. */
  read(balancers: readonly FoundBalancer[], span: Span, signal: AbortSignal): Promise<MeasuredSeries[]>;
}

/** CloudMetricsFor opens the driver of a cluster's settings. The credentials stay in it. */
export type CloudMetricsFor = (settings: CloudMetrics, credentials: CloudCredentials) => CloudMetricsDriver;
