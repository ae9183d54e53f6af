import { Prisma, selectPage } from "@fairlead/db";
import type { Experiment, ExperimentStep, ListExperimentSteps, ListExperiments, Page } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../context.ts";
import { contains, equals, isOneOf, within } from "../control/filter.sql.ts";
import { experimentSource, experimentStepSource } from "./rows.ts";

const sorts = {
  startedAt: { cast: "timestamptz" },
  slowestMs: { cast: "float8", nullable: true },
  changeCount: { cast: "float8" },
} as const;

export async function listExperiments(ctx: ServiceContext, input: ListExperiments): Promise<Page<Experiment>> {
  authorize(ctx, "cluster:read");
  return selectPage<Experiment>(ctx.db, {
    ...experimentSource,
    sort: { column: input.sort, ...sorts[input.sort] },
    direction: input.direction,
    where: [
      Prisma.sql`"organizationId" = ${ctx.organizationId}`,
      equals("clusterId", input.clusterId),
      isOneOf("state", input.state),
      contains(["clusterName", "startedBy"], input.search),
    ],
    page: input,
  });
}

/** listExperimentSteps answers what was asked for in the course of an experiment, and what kernels were seen to do. */
export async function listExperimentSteps(
  ctx: ServiceContext,
  input: ListExperimentSteps,
): Promise<Page<ExperimentStep>> {
  authorize(ctx, "cluster:read");
  const { experimentId, from, to } = input;
  return selectPage<ExperimentStep>(ctx.db, {
    ...experimentStepSource,
    sort: { column: input.sort, cast: "timestamptz" },
    direction: input.direction,
    where: [
      Prisma.sql`"organizationId" = ${ctx.organizationId}`,
      Prisma.sql`"experimentId" = ${experimentId}`,
      isOneOf("kind", input.kind),
      within("at", from, to),
    ],
    page: input,
  });
}
