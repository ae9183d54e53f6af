import { Prisma } from "@fairlead/db";
import type { Page } from "@fairlead/domain";
import type { Experiment, ExperimentStep, ListExperimentSteps, ListExperiments } from "@fairlead/domain/experiment";
import type { ServiceContext } from "../context.ts";
import { contains, equals, isOneOf, within } from "../control/filter.sql.ts";
import { listWithin } from "../control/list-within.ts";
import { experimentSource, experimentStepSource } from "./rows.ts";

const sorts = {
  startedAt: { cast: "timestamptz" },
  slowestMs: { cast: "float8", nullable: true },
  changeCount: { cast: "float8" },
} as const;

export async function listExperiments(ctx: ServiceContext, input: ListExperiments): Promise<Page<Experiment>> {
  return listWithin<Experiment>(ctx, "cluster:read", input, {
    ...experimentSource,
    sort: sorts[input.sort],
    where: [
      equals("clusterId", input.clusterId),
      isOneOf("state", input.state),
      contains(["clusterName", "startedBy"], input.search),
    ],
  });
}

/** listExperimentSteps returns what an experiment requested, and what kernels were seen to do. */
export async function listExperimentSteps(
  ctx: ServiceContext,
  input: ListExperimentSteps,
): Promise<Page<ExperimentStep>> {
  const { experimentId, from, to } = input;
  return listWithin<ExperimentStep>(ctx, "cluster:read", input, {
    ...experimentStepSource,
    sort: { cast: "timestamptz" },
    where: [Prisma.sql`"experimentId" = ${experimentId}`, isOneOf("kind", input.kind), within("at", from, to)],
  });
}
