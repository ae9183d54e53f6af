import { Prisma, selectPage, type Tx } from "@fairlead/db";
import { type Cluster, notFound } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../context.ts";
import { clusterColumns } from "./rows.ts";

export async function getCluster(ctx: ServiceContext, id: string): Promise<Cluster> {
  authorize(ctx, "cluster:read");
  return loadCluster(ctx.db, ctx.organizationId, id);
}

/** loadCluster is for verbs that have checked their own permission. */
export async function loadCluster(tx: Tx, organizationId: string, id: string): Promise<Cluster> {
  const page = await selectPage<Cluster>(tx, {
    from: "cluster_view",
    columns: clusterColumns,
    sort: { column: "name", cast: "text" },
    direction: "asc",
    where: [Prisma.sql`"organizationId" = ${organizationId}`, Prisma.sql`id = ${id}`],
    page: { limit: 1 },
  });
  const [cluster] = page.items;
  if (!cluster) throw notFound("cluster", id);
  return cluster;
}
