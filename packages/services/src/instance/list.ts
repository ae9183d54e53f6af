import { Prisma, selectPage } from "@fairlead/db";
import type { Instance, ListInstances, Page } from "@fairlead/domain";
import { loadCluster } from "../cluster/get.ts";
import { authorize, type ServiceContext } from "../context.ts";
import { contains, equals } from "../control/filter.sql.ts";

const columns = [
  "id",
  "clusterId",
  "name",
  "workload",
  "nodeName",
  "address",
  "addresses",
  "ready",
  "labels",
  "weight",
  "changedAt",
  "observedAt",
] as const satisfies readonly (keyof Instance)[];

const sorts = {
  name: { cast: "text" },
  workload: { cast: "text" },
  nodeName: { cast: "text" },
  address: { cast: "address" },
  changedAt: { cast: "timestamptz" },
} as const;

/** listInstances answers what runs in a cluster, as its sources saw it last. */
export async function listInstances(ctx: ServiceContext, input: ListInstances): Promise<Page<Instance>> {
  authorize(ctx, "cluster:read");
  await loadCluster(ctx.db, ctx.organizationId, input.clusterId, ["clusterId"]);
  return selectPage<Instance>(ctx.db, {
    from: "instance_view",
    columns,
    sort: { column: input.sort, ...sorts[input.sort] },
    direction: input.direction,
    where: [
      Prisma.sql`"organizationId" = ${ctx.organizationId}`,
      equals("clusterId", input.clusterId),
      equals("workload", input.workload),
      contains(["name", "address"], input.search),
    ],
    page: input,
  });
}
