import type { Tx } from "@fairlead/db";
import { type Marking, markManyDirty } from "./mark-dirty.sql.ts";

/** markCloudRoute marks a cluster's cloud route, if it has one. */
export async function markCloudRoute(tx: Tx, clusterId: string, marking: Marking): Promise<void> {
  const rows = await tx.$queryRaw<object[]>`SELECT 1 FROM cloud_route WHERE cluster_id = ${clusterId}`;
  await markManyDirty(tx, "cloud-route", rows.length > 0 ? [clusterId] : [], marking);
}
