import type { MetricDataQuery } from "@aws-sdk/client-cloudwatch";
import { CloudRefused } from "../../aws-api/cloud-refused.ts";
import type { AwsOptions } from "../../cloud-route/aws/aws-cloud-route.ts";
import type { CloudMetricsDriver, CloudMetricsFor, FoundBalancer, MeasuredSeries, Span } from "../cloud-metrics.ts";
import { fillQuiet } from "../fill-quiet.ts";
import { type Apis, openApis } from "./apis.ts";
import { findBalancers } from "./find-balancers.ts";
import { readPoints } from "./read-points.ts";
import { isKind, namespaces, type Source, sources } from "./sources.ts";

/** awsCloudMetrics reads the metrics of network and classic load balancers from CloudWatch. */
export function awsCloudMetrics({ allowedEndpoints }: AwsOptions): CloudMetricsFor {
  return (settings, credentials): CloudMetricsDriver => {
    const apis = openApis(settings, credentials, allowedEndpoints);
    return {
      find: (addresses, signal) => findBalancers(apis.during(signal), settings.region, addresses),
      read: (balancers, span, signal) => readBalancers(apis.during(signal), balancers, span),
      close: apis.close,
    };
  };
}

type MetricRequest = {
  balancer: FoundBalancer;
  metric: MeasuredSeries["metric"];
  source: Source;
  query: Omit<MetricDataQuery, "Id">;
};

async function readBalancers(apis: Apis, balancers: readonly FoundBalancer[], span: Span): Promise<MeasuredSeries[]> {
  const requests = balancers.flatMap(queriesOf);
  const answered = await readPoints(
    apis,
    requests.map((each) => each.query),
    span,
  );
  if (answered.some(({ status }) => status === "Forbidden"))
    throw new CloudRefused(
      "AWS denies the access key the permission cloudwatch:GetMetricData of all metrics; allow it in the key's policy (Forbidden)",
    );
  return requests.map(({ balancer: { address, since }, metric, source }, index) => {
    const { points = new Map<number, number>(), status = "Missing" } = answered[index] ?? {};
    const isWhole = status === "Complete";
    const { atMs, values } = fillQuiet(points, span, { isWhole, since });
    const problem = isWhole ? "" : `AWS returned ${source.name} only partially (${wordOf(status)})`;
    return { address, metric, atMs, values: values.map(source.toValue), problem };
  });
}

function queriesOf(balancer: FoundBalancer): MetricRequest[] {
  const { kind, id, metrics } = balancer;
  if (!isKind(kind)) return [];
  const { namespace, dimension } = namespaces[kind];
  return metrics.flatMap((metric): MetricRequest[] => {
    const source = sources[kind][metric];
    if (!source) return [];
    const Metric = { Namespace: namespace, MetricName: source.name, Dimensions: [{ Name: dimension, Value: id }] };
    return [{ balancer, metric, source, query: { MetricStat: { Metric, Period: 60, Stat: source.stat } } }];
  });
}

/** Only documented values: another server could use others to disclose what only the controller can read. */
function wordOf(status: string): string {
  return ["PartialData", "InternalError"].includes(status) ? status : "no documented status";
}
