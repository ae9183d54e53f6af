import type { CloudCredentials, CloudMeasured, CloudMetrics } from "@fairlead/domain/cloud";

/** FoundBalancer is a load balancer of the cloud, by the name that its clients use. */
export type FoundBalancer = {
  /** The requested name. */
  address: string;
  /** The cloud's name of the type. */
  kind: string;
  /** Its ID in the cloud's metrics. */
  id: string;
  /** The supported metrics. For others there is no series, because unknown is not zero. */
  metrics: readonly CloudMeasured[];
  /** Its creation time. */
  since: Date;
};

/** Why one load balancer can't be read. */
export type BalancerProblem = { address: string; message: string };

/** Whole minutes. Missing values before quietBefore are zero; later ones may still arrive. */
export type Span = { from: Date; to: Date; quietBefore: Date };

/** The values of one metric of a load balancer, by minute. Missing minutes are unknown. */
export type MeasuredSeries = {
  address: string;
  metric: CloudMeasured;
  atMs: number[];
  values: number[];
  /** Why minutes before quietBefore are unknown; empty where none is. */
  problem: string;
};

/**
 * CloudMetricsDriver reads the metrics of a cloud's load balancers. It changes nothing and has no state. It throws CloudRefused if an
 * operator must change something, and any other error for temporary problems.
 */
export interface CloudMetricsDriver {
  find(
    addresses: readonly string[],
    signal: AbortSignal,
  ): Promise<{ found: FoundBalancer[]; problems: BalancerProblem[] }>;
  /** read returns one series for each metric of each balancer. */
  read(balancers: readonly FoundBalancer[], span: Span, signal: AbortSignal): Promise<MeasuredSeries[]>;
  /** close ends idle connections. The driver isn't used after that. */
  close?(): void;
}

/** CloudMetricsFor creates the driver for a cluster's settings. It keeps the credentials private. */
export type CloudMetricsFor = (settings: CloudMetrics, credentials: CloudCredentials) => CloudMetricsDriver;
