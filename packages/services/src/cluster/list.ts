import { Prisma, selectPage } from "@fairlead/db";
import type { Cluster, ListClusters, Page } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../context.ts";
import { contains, isOneOf } from "../control/filter.sql.ts";
import { clusterSource } from "./rows.ts";

const casts = { name: "text", kind: "text", region: "text", createdAt: "timestamptz" } as const;

export async function listClusters(ctx: ServiceContext, input: ListClusters): Promise<Page<Cluster>> {
  authorize(ctx, "cluster:read");
  return selectPage<Cluster>(ctx.db, {
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
}
