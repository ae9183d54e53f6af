import type { Experiment, ExperimentStep } from "@fairlead/domain";

export const experimentSource = {
  from: "experiment_view",
  columns: [
    "id",
    "clusterId",
    "clusterName",
    "state",
    "reason",
    "changeEverySeconds",
    "lastsSeconds",
    "fewestReplicas",
    "seed",
    "replicaCount",
    "startedBy",
    "startedAt",
    "endsAt",
    "endedAt",
    "changeCount",
    "settledCount",
    "slowestMs",
    "brokenConnections",
  ] as const satisfies readonly (keyof Experiment)[],
};

export const experimentStepSource = {
  from: "experiment_step_view",
  columns: [
    "id",
    "kind",
    "at",
    "number",
    "replicas",
    "replicaCount",
    "settledAt",
    "tookMs",
  ] as const satisfies readonly (keyof ExperimentStep)[],
};
