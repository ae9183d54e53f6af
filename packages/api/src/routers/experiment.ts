import { idOf, pageOf } from "@fairlead/domain";
import {
  experiment,
  experimentDetail,
  experimentMaxPoints,
  experimentSeries,
  experimentStep,
  listExperimentSteps,
  listExperiments,
  startExperiment,
} from "@fairlead/domain/experiment";
import * as services from "@fairlead/services";
import { byId } from "../input.ts";
import { procedure, router } from "../trpc.ts";

const tag = "Experiments";
const id = idOf("experiment");

export const experimentRouter = router({
  list: procedure
    .meta({
      permission: "cluster:read",
      rest: { method: "GET", path: "/experiments", summary: "List experiments", tag },
    })
    .input(listExperiments)
    .output(pageOf(experiment))
    .query(({ ctx, input }) => services.listExperiments(ctx, input)),

  get: procedure
    .meta({
      permission: "cluster:read",
      rest: { method: "GET", path: "/experiments/{id}", summary: "Read an experiment with its delays", tag },
    })
    .input(byId(id))
    .output(experimentDetail)
    .query(({ ctx, input }) => services.getExperiment(ctx, input.id)),

  series: procedure
    .meta({
      permission: "cluster:read",
      rest: {
        method: "GET",
        path: "/experiments/{id}/series",
        summary: "Read replicas, traffic and broken connections over an experiment's time",
        tag,
      },
    })
    .input(byId(id).extend({ maxPoints: experimentMaxPoints }))
    .output(experimentSeries)
    .query(({ ctx, input }) => services.readExperimentSeries(ctx, input)),

  start: procedure
    .meta({
      permission: "cluster:write",
      rest: {
        method: "POST",
        path: "/experiments",
        summary: "Change a cluster's replica count at random for a while, and measure what follows",
        tag,
        status: 201,
        example: { clusterId: "clu_01kav3x0zq8w4m2n6r5t7y9b1c", changeEverySeconds: 20, durationSeconds: 600 },
      },
    })
    .input(startExperiment)
    .output(experiment)
    .mutation(({ ctx, input }) => services.startExperiment(ctx, input)),

  stop: procedure
    .meta({
      permission: "cluster:write",
      rest: {
        method: "POST",
        path: "/experiments/{id}/stop",
        summary: "Stop an experiment and restore every replica",
        tag,
      },
    })
    .input(byId(id))
    .output(experiment)
    .mutation(({ ctx, input }) => services.stopExperiment(ctx, input.id)),
});

export const experimentStepRouter = router({
  list: procedure
    .meta({
      permission: "cluster:read",
      rest: {
        method: "GET",
        path: "/experiment-steps",
        summary: "List what an experiment requested, and what kernels did",
        tag,
      },
    })
    .input(listExperimentSteps)
    .output(pageOf(experimentStep))
    .query(({ ctx, input }) => services.listExperimentSteps(ctx, input)),
});
