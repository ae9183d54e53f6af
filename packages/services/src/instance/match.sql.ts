import { Prisma, type Tx } from "@fairlead/db";
import {
  hideInstanceAddresses,
  type Instance,
  type MatchedInstances,
  type MatchInstances,
} from "@fairlead/domain/instance";
import { unlessMap } from "../address-map/may-read.ts";
import { listInCluster } from "../cluster/list-in-cluster.ts";
import type { ServiceContext } from "../context.ts";
import { instanceSource } from "./rows.ts";

const mostShown = 10;

/** matchInstances returns the instances that an exposure of this workload selects now, by the same rule as its backends. */
export async function matchInstances(
  ctx: ServiceContext,
  { clusterId, workload }: MatchInstances,
): Promise<MatchedInstances> {
  const page = await listInCluster<Instance>(
    ctx,
    { clusterId, sort: "name", direction: "asc", limit: mostShown },
    { ...instanceSource, sort: { cast: "text" }, where: [isSelected(workload)] },
  );
  const { readyCount } = await countMatching(ctx.db, { clusterId, workload });
  const items = page.items.map(unlessMap(ctx, hideInstanceAddresses));
  return { total: page.total, readyCount, items };
}

/** countMatching counts the instances that an exposure of this workload selects now. */
export async function countMatching(
  tx: Tx,
  { clusterId, workload }: MatchInstances,
): Promise<Pick<MatchedInstances, "total" | "readyCount">> {
  const [row] = await tx.$queryRaw<{ total: number; readyCount: number }[]>`
    SELECT count(*)::int AS total, count(*) FILTER (WHERE ready)::int AS "readyCount"
    FROM instance WHERE cluster_id = ${clusterId} AND ${isSelected(workload)}`;
  return row ?? { total: 0, readyCount: 0 };
}

function isSelected(workload: MatchInstances["workload"]): Prisma.Sql {
  return Prisma.sql`exposes(${JSON.stringify(workload)}::jsonb, name, workload, labels)`;
}
