import type { CloudMetricsStatus } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../context.ts";
import { loadOne } from "../control/load-one.ts";

const source = {
  from: "cloud_metrics_status_view",
  columns: [
    "clusterId",
    "phase",
    "message",
    "observedAt",
    "since",
    "readAt",
    "balancersTotal",
    "balancersFound",
    "metricsPerHour",
    "balancers",
  ] as const satisfies readonly (keyof CloudMetricsStatus)[],
};

type Balancer = CloudMetricsStatus["balancers"][number];
/** As the view has it: a time within JSON is a text. */
type Row = Omit<CloudMetricsStatus, "balancers"> & {
  balancers: (Omit<Balancer, "readUntil"> & { readUntil: string | null })[];
};

/** getCloudMetricsStatus says how the metrics of a cluster's load balancers were last read, and how far. */
export async function getCloudMetricsStatus(ctx: ServiceContext, clusterId: string): Promise<CloudMetricsStatus> {
  authorize(ctx, "cluster:read");
  const what = "cluster whose cloud is asked for metrics";
  const { balancers, ...row } = await loadOne<Row>(ctx.db, what, source, ctx.organizationId, clusterId);
  return {
    ...row,
    balancers: balancers.map((each) => ({
      ...each,
      readUntil: each.readUntil === null ? null : new Date(each.readUntil),
    })),
  };
}
