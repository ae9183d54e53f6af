import { Prisma, selectPage } from "@fairlead/db";
import type { Cluster, ListClusters, Page } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../context.ts";
import { contains, isOneOf } from "../control/filter.sql.ts";
import { type ClusterRow, clusterSource, toCluster } from "./rows.ts";

const casts = { name: "text", kind: "text", region: "text", createdAt: "timestamptz" } as const;

export async function listClusters(ctx: ServiceContext, input: ListClusters): Promise<Page<Cluster>> {
  authorize(ctx, "cluster:read");
  const page = await selectPage<ClusterRow>(ctx.db, {
    ...clusterSource,
    sort: { column: input.sort, cast: casts[input.sort] },
    direction: input.direction,
    where: [
      Prisma.sql`"organizationId" = ${ctx.organizationId}`,
      contains("name", input.search),
      isOneOf("kind", input.kind),
    ],
    page: input,
  });
  return { ...page, items: page.items.map(toCluster) };
}
