import type { Page } from "@fairlead/domain";
import type { Cluster, ListClusters } from "@fairlead/domain/cluster";
import type { ServiceContext } from "../context.ts";
import { contains, isOneOf } from "../control/filter.sql.ts";
import { listWithin } from "../control/list-within.ts";
import { type ClusterRow, clusterSource, toCluster } from "./rows.ts";

const casts = { name: "text", kind: "text", region: "text", createdAt: "timestamptz" } as const;

export async function listClusters(ctx: ServiceContext, input: ListClusters): Promise<Page<Cluster>> {
  const page = await listWithin<ClusterRow>(ctx, "cluster:read", input, {
    ...clusterSource,
    sort: { cast: casts[input.sort] },
    where: [contains("name", input.search), isOneOf("kind", input.kind)],
  });
  return { ...page, items: page.items.map(toCluster) };
}
