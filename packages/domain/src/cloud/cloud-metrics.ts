import { z } from "zod";
import { idOf } from "../id.ts";
import { type MetricFrom, metricsFrom } from "../series/metrics.ts";
import { cloudCredentials, cloudRegion } from "./cloud-route.ts";
import { cloudMetricsPhases } from "./cloud-states.ts";

const endpointOf = (api: string, example: string) =>
  z
    .url({ protocol: /^https?$/, error: `write the address of ${api}, as ${example}` })
    .max(300)
    .nullable()
    .default(null);

const place = {
  provider: z.literal("aws"),
  region: cloudRegion,
  monitoringEndpoint: endpointOf(
    "a CloudWatch API",
    "https://vpce-….monitoring.eu-central-1.vpce.amazonaws.com",
  ).describe("Of the CloudWatch API, where it isn't the region's own."),
  balancingEndpoint: endpointOf(
    "an Elastic Load Balancing API",
    "https://vpce-….elasticloadbalancing.eu-central-1.vpce.amazonaws.com",
  ).describe("Of the Elastic Load Balancing API, where it isn't the region's own."),
};

/** Where a cloud tells what the load balancers measured that it runs for a cluster. */
export const cloudMetrics = z.strictObject(place).meta({ id: "CloudMetrics" });
export type CloudMetrics = z.infer<typeof cloudMetrics>;

/** The credentials are written, and never read. */
export const updateCloudMetrics = z
  .strictObject({
    ...place,
    credentials: cloudCredentials.optional().describe("Absent: as they were. They are never read. Let them only read."),
  })
  .meta({ id: "UpdateCloudMetrics" });
export type UpdateCloudMetrics = z.infer<typeof updateCloudMetrics>;

export const cloudMetricsEndpoints = ["monitoringEndpoint", "balancingEndpoint"] as const;

/** What a cloud measures of a load balancer, as we name it. */
export const cloudMeasured = metricsFrom("cloud");
export type CloudMeasured = MetricFrom<"cloud">;

/** What a key must be allowed to read them. */
export const cloudMetricsPermissions = [
  "cloudwatch:GetMetricData",
  "elasticloadbalancing:DescribeLoadBalancers",
] as const;

/** How often a cloud is asked. */
export const cloudMetricsReadEveryMs = 60_000;

/** How the metrics of a cluster's load balancers were last read. */
export const cloudMetricsStatus = z
  .object({
    clusterId: idOf("cluster"),
    phase: z.enum(cloudMetricsPhases),
    message: z.string().describe("What went wrong, and what to do."),
    observedAt: z.date().nullable().describe("When the cloud was last asked."),
    since: z.date().nullable().describe("Since when it is so."),
    readAt: z.date().nullable().describe("When metrics were last read."),
    balancersTotal: z.int().describe("Load balancers that the cloud runs for this cluster."),
    balancersFound: z.int().describe("Those of them that were found in the cloud."),
    metricsPerHour: z.int().describe("How many metrics an hour of reading asks for: that is what AWS counts."),
    balancers: z
      .array(
        z.object({
          loadBalancerId: idOf("loadBalancer"),
          name: z.string(),
          kind: z.string().describe("As the cloud calls it: network or classic. Empty for not found."),
          readUntil: z.date().nullable().describe("All minutes before are read."),
          problem: z.string().describe("Why it isn't read, or not whole."),
        }),
      )
      .describe("The first hundred, those with a problem first."),
  })
  .meta({ id: "CloudMetricsStatus" });
export type CloudMetricsStatus = z.infer<typeof cloudMetricsStatus>;
export type CloudMetricsPhase = CloudMetricsStatus["phase"];
