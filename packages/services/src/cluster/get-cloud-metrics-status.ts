import { hideAddresses } from "@fairlead/domain/address";
import type { CloudMetricsStatus } from "@fairlead/domain/cloud";
import { hideMessage, unlessMap } from "../address-map/may-read.ts";
import { authorize, type ServiceContext } from "../context.ts";
import { loadOne } from "../control/load-one.ts";
import { cloudMetricsStatusSource } from "./rows.ts";

type Balancer = CloudMetricsStatus["balancers"][number];
/** As in the view: a time within JSON is a string. */
type Row = Omit<CloudMetricsStatus, "balancers"> & {
  balancers: (Omit<Balancer, "readUntil"> & { readUntil: string | null })[];
};

/**
 * getCloudMetricsStatus returns the result of the last read of a cluster's load balancer metrics, and how far it got.
 */
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
  const hide = unlessMap<Balancer>(ctx, (each) => ({ ...each, problem: hideAddresses(each.problem) }));
  return {
    ...unlessMap<typeof row>(ctx, hideMessage)(row),
    balancers: balancers.map((each) =>
      hide({ ...each, readUntil: each.readUntil === null ? null : new Date(each.readUntil) }),
    ),
  };
}
