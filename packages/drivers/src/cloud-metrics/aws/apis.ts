import { CloudWatchClient, type GetMetricDataCommand, type GetMetricDataOutput } from "@aws-sdk/client-cloudwatch";
import {
  type DescribeAccessPointsOutput,
  type DescribeLoadBalancersCommand as DescribeClassicCommand,
  ElasticLoadBalancingClient,
} from "@aws-sdk/client-elastic-load-balancing";
import {
  type DescribeLoadBalancersCommand,
  type DescribeLoadBalancersOutput,
  ElasticLoadBalancingV2Client,
} from "@aws-sdk/client-elastic-load-balancing-v2";
import type { CloudCredentials, CloudMetrics } from "@fairlead/domain/cloud";
import { openAccess } from "../../aws-api/access.ts";
import { limitAnswers } from "../../aws-api/limit-answers.ts";

/** Apis are the three APIs for load balancers: newer types, classic load balancers, and CloudWatch. */
export type Apis = {
  newer: (command: DescribeLoadBalancersCommand, action: string) => Promise<DescribeLoadBalancersOutput>;
  classic: (command: DescribeClassicCommand, action: string) => Promise<DescribeAccessPointsOutput>;
  metrics: (command: GetMetricDataCommand, action: string) => Promise<GetMetricDataOutput>;
};

/** openApis creates one client of each for all calls, with persistent connections. allowed are endpoints that need not be public. */
export function openApis(
  { region, monitoringEndpoint, balancingEndpoint }: CloudMetrics,
  credentials: CloudCredentials,
  allowed: readonly string[],
): { during: (signal: AbortSignal) => Apis; close: () => void } {
  const balancing = openAccess(
    { title: "an Elastic Load Balancing API", prefix: "elasticloadbalancing" },
    { region, endpoint: balancingEndpoint },
    credentials,
    allowed,
  );
  const monitoring = openAccess(
    { title: "a CloudWatch API", prefix: "cloudwatch" },
    { region, endpoint: monitoringEndpoint },
    credentials,
    allowed,
  );
  const newer = new ElasticLoadBalancingV2Client(balancing.settings);
  const classic = new ElasticLoadBalancingClient(balancing.settings);
  const metrics = new CloudWatchClient(monitoring.settings);
  limitAnswers(newer);
  limitAnswers(classic);
  limitAnswers(metrics);
  return {
    during: (signal) => ({
      newer: (command, action) => balancing.ask(action, signal, (options) => newer.send(command, options)),
      classic: (command, action) => balancing.ask(action, signal, (options) => classic.send(command, options)),
      metrics: (command, action) => monitoring.ask(action, signal, (options) => metrics.send(command, options)),
    }),
    close() {
      for (const client of [newer, classic, metrics]) client.destroy();
    },
  };
}
