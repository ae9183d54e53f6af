import { z } from "zod";
import { idOf } from "../id.ts";
import { type MetricFrom, metricsFrom } from "../series/select-metrics.ts";
import { volatile } from "../volatile.ts";
import { cloudCredentials, cloudRegion } from "./cloud-route.ts";
import { cloudMetricsPhases } from "./cloud-states.ts";

const endpointOf = (api: string, example: string) =>
  z
    .url({ protocol: /^https?$/, error: `enter the address of ${api}, such as ${example}` })
    .max(300)
    .nullable()
    .default(null);

const place = {
  provider: z.literal("aws"),
  region: cloudRegion,
  monitoringEndpoint: endpointOf(
    "a CloudWatch API",
    "https://vpce-….monitoring.eu-central-1.vpce.amazonaws.com",
  ).describe("The CloudWatch API, if it isn't the region's default endpoint."),
  balancingEndpoint: endpointOf(
    "an Elastic Load Balancing API",
    "https://vpce-….elasticloadbalancing.eu-central-1.vpce.amazonaws.com",
  ).describe("The Elastic Load Balancing API, if it isn't the region's default endpoint."),
};

/** Where to read the metrics of the load balancers that a cloud runs for a cluster. */
export const cloudMetrics = z.strictObject(place).meta({ id: "CloudMetrics" });
export type CloudMetrics = z.infer<typeof cloudMetrics>;

/** Credentials are write-only. */
export const updateCloudMetrics = z
  .strictObject({
    ...place,
    credentials: cloudCredentials
      .optional()
      .describe("Write-only. Required at first; later, if absent, they stay unchanged. Read access is enough."),
  })
  .meta({ id: "UpdateCloudMetrics" });
export type UpdateCloudMetrics = z.infer<typeof updateCloudMetrics>;

export const cloudMetricsEndpoints = ["monitoringEndpoint", "balancingEndpoint"] as const;

/** The metrics that a cloud provides for a load balancer, by our names. */
export const cloudMeasured = metricsFrom("cloud");
export type CloudMeasured = MetricFrom<"cloud">;

/** The permissions that the access key needs. */
export const cloudMetricsPermissions = [
  "cloudwatch:GetMetricData",
  "elasticloadbalancing:DescribeLoadBalancers",
] as const;

/** How often metrics are read. */
export const cloudMetricsReadEveryMs = 60_000;

/** The result of the last read of a cluster's load balancer metrics. */
export const cloudMetricsStatus = z
  .object({
    clusterId: idOf("cluster"),
    phase: z.enum(cloudMetricsPhases),
    message: z.string().describe("What failed, and what to do."),
    observedAt: volatile(z.date().nullable().describe("When the cloud was last queried.")),
    since: z.date().nullable().describe("Since when it has been in this phase."),
    readAt: volatile(z.date().nullable().describe("When metrics were last read.")),
    balancersTotal: z.int().describe("Load balancers that the cloud runs for this cluster."),
    balancersFound: z.int().describe("Number of them that were found in the cloud."),
    metricsPerHour: z.int().describe("Metrics requested per hour, which is what AWS bills."),
    balancers: z
      .array(
        z.object({
          loadBalancerId: idOf("loadBalancer"),
          name: z.string(),
          kind: z.string().describe("The cloud's type: network or classic. Empty if not found."),
          readUntil: volatile(z.date().nullable().describe("All minutes before this have been read.")),
          problem: z.string().describe("Why its metrics aren't read, or are incomplete."),
        }),
      )
      .describe("The first hundred, those with a problem first."),
  })
  .meta({ id: "CloudMetricsStatus" });
export type CloudMetricsStatus = z.infer<typeof cloudMetricsStatus>;
export type CloudMetricsPhase = CloudMetricsStatus["phase"];
