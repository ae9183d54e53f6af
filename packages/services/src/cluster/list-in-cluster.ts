import type { Page } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../context.ts";
import { equals } from "../control/filter.sql.ts";
import { type ListInput, type ListQuery, listWithin } from "../control/list-within.ts";
import { loadCluster } from "./get.ts";

/** listInCluster reads one page of a cluster's objects. A missing cluster is an error, not an empty page. */
export async function listInCluster<Row extends { id: string }>(
  ctx: ServiceContext,
  input: ListInput & { clusterId: string },
  query: ListQuery,
): Promise<Page<Row>> {
  authorize(ctx, "cluster:read");
  await loadCluster(ctx.db, ctx.organizationId, input.clusterId, ["clusterId"]);
  return listWithin<Row>(ctx, "cluster:read", input, {
    ...query,
    where: [equals("clusterId", input.clusterId), ...query.where],
  });
}
