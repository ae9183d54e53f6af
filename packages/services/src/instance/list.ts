import type { Page } from "@fairlead/domain";
import type { Instance, ListInstances } from "@fairlead/domain/instance";
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
  return listInCluster<Instance>(ctx, input, {
    ...instanceSource,
    sort: sorts[input.sort],
    where: [equals("workload", input.workload), contains(["name", "address"], input.search)],
  });
}
