import type { Tx } from "@fairlead/db";
import type { Cluster } from "@fairlead/domain/cluster";
import { authorize, type ServiceContext } from "../context.ts";
import { loadOne } from "../control/load-one.ts";
import { type ClusterRow, clusterSource, toCluster } from "./rows.ts";

export async function getCluster(ctx: ServiceContext, id: string): Promise<Cluster> {
  authorize(ctx, "cluster:read");
  return loadCluster(ctx.db, ctx.organizationId, id);
}

/** loadCluster is for verbs that have checked their own permission. path names the field that the id came from. */
export async function loadCluster(tx: Tx, organizationId: string, id: string, path?: string[]): Promise<Cluster> {
  return toCluster(await loadOne<ClusterRow>(tx, "cluster", clusterSource, organizationId, id, path));
}
