import { Prisma, selectPage } from "@fairlead/db";
import type { InventoryItem, ListInventory, Page } from "@fairlead/domain";
import { loadCluster } from "../cluster/get.ts";
import { authorize, type ServiceContext } from "../context.ts";
import { contains, equals, isOneOf } from "../control/filter.sql.ts";

const columns = [
  "id",
  "clusterId",
  "kind",
  "namespace",
  "name",
  "wanted",
  "ready",
  "addresses",
  "changedAt",
] as const satisfies readonly (keyof InventoryItem)[];

const sorts = {
  name: { cast: "text" },
  namespace: { cast: "text" },
  kind: { cast: "text" },
  changedAt: { cast: "timestamptz" },
} as const;

/** listInventory answers what is in a Kubernetes cluster, as it was last seen. */
export async function listInventory(ctx: ServiceContext, input: ListInventory): Promise<Page<InventoryItem>> {
  authorize(ctx, "cluster:read");
  await loadCluster(ctx.db, ctx.organizationId, input.clusterId, ["clusterId"]);
  return selectPage<InventoryItem>(ctx.db, {
    from: "inventory_item_view",
    columns,
    sort: { column: input.sort, ...sorts[input.sort] },
    direction: input.direction,
    where: [
      Prisma.sql`"organizationId" = ${ctx.organizationId}`,
      equals("clusterId", input.clusterId),
      isOneOf("kind", input.kind),
      equals("namespace", input.namespace),
      contains(["name", "namespace"], input.search),
    ],
    page: input,
  });
}
