import { Prisma, selectPage } from "@fairlead/db";
import type { Exposure, ListExposures, Page } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../context.ts";
import { contains, equals, isOneOf } from "../control/filter.sql.ts";
import { type ExposureRow, exposureSource, toExposure } from "./rows.ts";

const casts = {
  name: "text",
  strategy: "text",
  phase: "text",
  clusterName: "text",
  createdAt: "timestamptz",
  updatedAt: "timestamptz",
} as const;

export async function listExposures(ctx: ServiceContext, input: ListExposures): Promise<Page<Exposure>> {
  authorize(ctx, "exposure:read");
  const page = await selectPage<ExposureRow>(ctx.db, {
    ...exposureSource,
    sort: { column: input.sort, cast: casts[input.sort] },
    direction: input.direction,
    where: [
      Prisma.sql`"organizationId" = ${ctx.organizationId}`,
      contains("name", input.search),
      equals("clusterId", input.clusterId),
      isOneOf("strategy", input.strategy),
      isOneOf("phase", input.phase),
    ],
    page: input,
  });
  return { ...page, items: page.items.map(toExposure) };
}
