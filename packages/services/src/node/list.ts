import { Prisma, selectPage } from "@fairlead/db";
import type { ListNodes, Node, Page } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../context.ts";
import { contains, equals, isOneOf } from "../control/filter.sql.ts";
import { type NodeRow, nodeSource, toNode } from "./rows.ts";

const sorts = {
  name: { cast: "text" },
  clusterName: { cast: "text" },
  state: { cast: "text" },
  lastReportAt: { cast: "timestamptz", nullable: true },
  cpuUtilizationRatio: { cast: "float8", nullable: true },
  memoryUsedRatio: { cast: "float8", nullable: true },
  createdAt: { cast: "timestamptz" },
} as const;

export async function listNodes(ctx: ServiceContext, input: ListNodes): Promise<Page<Node>> {
  authorize(ctx, "node:read");
  const page = await selectPage<NodeRow>(ctx.db, {
    ...nodeSource,
    sort: { column: input.sort, ...sorts[input.sort] },
    direction: input.direction,
    where: [
      Prisma.sql`"organizationId" = ${ctx.organizationId}`,
      contains("name", input.search),
      equals("clusterId", input.clusterId),
      isOneOf("state", input.state),
    ],
    page: input,
  });
  return { ...page, items: page.items.map((row) => toNode(row, ctx.now)) };
}
