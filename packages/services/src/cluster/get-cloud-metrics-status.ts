import type { CloudMetricsStatus } from "@fairlead/domain/cloud";
import { authorize, type ServiceContext } from "../context.ts";
import { loadOne } from "../control/load-one.ts";
import { cloudMetricsStatusSource } from "./rows.ts";

type Balancer = CloudMetricsStatus["balancers"][number];
/** As the view has it: a time within JSON is a text. */
type Row = Omit<CloudMetricsStatus, "balancers"> & {
  balancers: (Omit<Balancer, "readUntil"> & { readUntil: string | null })[];
};

/** getCloudMetricsStatus says how the metrics of a cluster's load balancers were last read, and how far. */
export async function getCloudMetricsStatus(ctx: ServiceContext, clusterId: string): Promise<CloudMetricsStatus> {
  authorize(ctx, "cluster:read");
  const what = "cluster whose cloud is asked for metrics";
  const { balancers, ...row } = await loadOne<Row>(
    ctx.db,
    what,
    cloudMetricsStatusSource,
    ctx.organizationId,
    clusterId,
  );
  return {
    ...row,
    balancers: balancers.map((each) => ({
      ...each,
      readUntil: each.readUntil === null ? null : new Date(each.readUntil),
    })),
  };
}
