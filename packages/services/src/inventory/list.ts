import type { Page } from "@fairlead/domain";
import type { InventoryItem, ListInventory } from "@fairlead/domain/cluster";
import { listInCluster } from "../cluster/list-in-cluster.ts";
import type { ServiceContext } from "../context.ts";
import { contains, equals, isOneOf } from "../control/filter.sql.ts";
import { inventoryItemSource } from "./rows.ts";

const sorts = {
  name: { cast: "text" },
  namespace: { cast: "text" },
  kind: { cast: "text" },
  changedAt: { cast: "timestamptz" },
} as const;

/** listInventory returns what is in a Kubernetes cluster, as it was last seen. */
export async function listInventory(ctx: ServiceContext, input: ListInventory): Promise<Page<InventoryItem>> {
  return listInCluster<InventoryItem>(ctx, input, {
    ...inventoryItemSource,
    sort: sorts[input.sort],
    where: [
      isOneOf("kind", input.kind),
      equals("namespace", input.namespace),
      contains(["name", "namespace"], input.search),
    ],
  });
}
