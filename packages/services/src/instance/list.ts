import type { Page } from "@fairlead/domain";
import { hideInstanceAddresses, type Instance, type ListInstances } from "@fairlead/domain/instance";
import { authorizeMapFilter, mayReadMap, unlessMap } from "../address-map/may-read.ts";
import { listInCluster } from "../cluster/list-in-cluster.ts";
import type { ServiceContext } from "../context.ts";
import { contains, equals } from "../control/filter.sql.ts";
import { instanceSource } from "./rows.ts";

const sorts = {
  name: { cast: "text" },
  workload: { cast: "text" },
  nodeName: { cast: "text" },
  address: { cast: "address" },
  changedAt: { cast: "timestamptz" },
} as const;

/** listInstances returns what runs in a cluster, as its sources last reported it. */
export async function listInstances(ctx: ServiceContext, input: ListInstances): Promise<Page<Instance>> {
  authorizeMapFilter(ctx, input.sort === "address" || input.sort === "nodeName");
  const page = await listInCluster<Instance>(ctx, input, {
    ...instanceSource,
    sort: sorts[input.sort],
    where: [equals("workload", input.workload), contains(mayReadMap(ctx) ? ["name", "address"] : "name", input.search)],
  });
  return { ...page, items: page.items.map(unlessMap(ctx, hideInstanceAddresses)) };
}
