import type { Page } from "@fairlead/domain";
import type { ListNodes, Node } from "@fairlead/domain/node";
import type { ServiceContext } from "../context.ts";
import { contains, equals, isOneOf } from "../control/filter.sql.ts";
import { listWithin } from "../control/list-within.ts";
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
  const page = await listWithin<NodeRow>(ctx, "node:read", input, {
    ...nodeSource,
    sort: sorts[input.sort],
    where: [contains("name", input.search), equals("clusterId", input.clusterId), isOneOf("state", input.state)],
  });
  return { ...page, items: page.items.map((row) => toNode(row)) };
}
