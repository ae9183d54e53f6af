import type { Page } from "@fairlead/domain";
import { type Exposure, hideExposureAddresses, type ListExposures } from "@fairlead/domain/exposure";
import { unlessMap } from "../address-map/may-read.ts";
import type { ServiceContext } from "../context.ts";
import { contains, isOneOf, isTrue } from "../control/filter.sql.ts";
import { listWithin } from "../control/list-within.ts";
import { inCluster } from "./in-cluster.sql.ts";
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
  const page = await listWithin<ExposureRow>(ctx, "exposure:read", input, {
    ...exposureSource,
    sort: { cast: casts[input.sort] },
    where: [
      contains("name", input.search),
      inCluster(input.clusterId),
      isOneOf("strategy", input.strategy),
      isOneOf("phase", input.phase),
      isTrue("phase = 'serving'", input.isServing),
      isTrue('"pausedAt" IS NOT NULL', input.isPaused),
    ],
  });
  return { ...page, items: page.items.map(toExposure).map(unlessMap(ctx, hideExposureAddresses)) };
}
