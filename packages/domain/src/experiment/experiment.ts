import { z } from "zod";
import { idOf } from "../id.ts";
import { moment } from "../moment.ts";
import { listInput, manyOf } from "../page.ts";
import { experimentStates, experimentStepKinds } from "./experiment-states.ts";

/** Raw samples are kept for only a day. */
const longestSeconds = 20 * 3_600;

/** The replica count of a cluster changes at random for a while, and the effects are measured. */
export const startExperiment = z
  .strictObject({
    clusterId: idOf("cluster"),
    changeEverySeconds: z
      .int()
      .min(2, "2 seconds at least")
      .max(3_600, "an hour at most")
      .default(20)
      .describe("Time between changes of the replica count."),
    durationSeconds: z.int().min(10, "10 seconds at least").max(longestSeconds, "20 hours at most").default(600),
    fewestReplicas: z.int().min(1, "one replica has to serve").max(1_000).default(1),
    seed: z
      .int()
      .min(0)
      .max(2 ** 32 - 1)
      .optional()
      .describe("Random seed: the same seed makes the same choices. If absent: a random one."),
  })
  .meta({ id: "StartExperiment" });
export type StartExperiment = z.infer<typeof startExperiment>;

/** A participating replica: a speaker next to a balancer, with the next hops that it announces. */
export const experimentReplica = z
  .object({
    agentId: idOf("agent"),
    nodeId: idOf("node"),
    nodeName: z.string(),
    hops: z.record(z.string(), z.string()).describe("The announced next hop of each prefix."),
  })
  .meta({ id: "ExperimentReplica" });
export type ExperimentReplica = z.infer<typeof experimentReplica>;

export const experimentState = z.enum(experimentStates).meta({ id: "ExperimentState" });
export type ExperimentState = z.infer<typeof experimentState>;

export const experiment = z
  .object({
    id: idOf("experiment"),
    clusterId: idOf("cluster"),
    clusterName: z.string(),
    state: experimentState,
    reason: z.string().describe("Why it ended early; empty otherwise."),
    changeEverySeconds: z.int(),
    durationSeconds: z.int(),
    fewestReplicas: z.int(),
    seed: z.number(),
    replicaCount: z.int(),
    startedBy: z.string(),
    startedAt: z.date(),
    endsAt: z.date(),
    endedAt: z.date().nullable(),
    changeCount: z.int(),
    settledCount: z.int().describe("Number of changes that all routes followed before the next change."),
    slowestMs: z.int().nullable(),
    brokenConnections: z
      .int()
      .nullable()
      .describe("Broken connections counted by clients of the cluster; null if no client reports."),
  })
  .meta({ id: "Experiment" });
export type Experiment = z.infer<typeof experiment>;

export const experimentDetail = experiment
  .extend({
    replicas: z.array(experimentReplica),
    drained: z.array(idOf("agent")).describe("Agents that should not serve now."),
    settleMsP50: z.number().nullable(),
    settleMsP99: z.number().nullable(),
    delays: z
      .array(z.object({ atMostMs: z.int().nullable(), count: z.int() }))
      .describe("Histogram of the time until all routes followed a change. The last bucket has no upper bound."),
  })
  .meta({ id: "ExperimentDetail" });
export type ExperimentDetail = z.infer<typeof experimentDetail>;

/** A change that the experiment made, or one observed in the routers' kernels. */
export const experimentStep = z
  .object({
    id: idOf("experimentStep"),
    kind: z.enum(experimentStepKinds),
    at: z.date().describe("For observed changes, by the router's clock."),
    number: z.int().nullable(),
    replicas: z.array(z.string()).describe("Agents: the speakers that should serve, or that a kernel routes to."),
    replicaCount: z.int(),
    settledAt: z
      .date()
      .nullable()
      .describe("When all routes had followed the change; null if they didn't before the next change."),
    tookMs: z.int().nullable(),
  })
  .meta({ id: "ExperimentStep" });
export type ExperimentStep = z.infer<typeof experimentStep>;

/** Points of experimentSeries. */
const replicasAt = z.object({ at: z.date(), replicas: z.array(z.string()), replicaCount: z.int() });
const countAt = z.object({ at: z.date(), replicaCount: z.int() });
const valueAt = z.object({ at: z.date(), value: z.number() });

/** The data of an experiment's charts, for one time range. */
export const experimentSeries = z
  .object({
    from: z.date(),
    to: z.date().describe("While it runs: now."),
    desired: z.array(countAt).describe("Number of replicas that should serve, from each time on."),
    routed: z.array(replicasAt).describe("Agents: the speakers that routers' kernels routed to, from each time on."),
    throughputBps: z.array(valueAt).describe("The sum of all balancers of the cluster."),
    requestsPerSecond: z.array(valueAt).describe("Successful requests counted by clients; empty if no client reports."),
    broken: z
      .array(valueAt)
      .nullable()
      .describe("Cumulative broken connections since the start; null if no client reports."),
  })
  .meta({ id: "ExperimentSeries" });
export type ExperimentSeries = z.infer<typeof experimentSeries>;

/** The limit for each series. Longer series are thinned; steps keep the last value of an interval. */
export const experimentMaxPoints = z.int().min(10).max(1_000).default(300);

export const listExperiments = listInput(
  ["startedAt", "slowestMs", "changeCount"],
  { clusterId: idOf("cluster").optional(), state: manyOf(experimentState) },
  { sort: "startedAt", direction: "desc" },
);
export type ListExperiments = z.infer<typeof listExperiments>;

export const listExperimentSteps = listInput(
  ["at"],
  {
    experimentId: idOf("experiment"),
    kind: manyOf(z.enum(experimentStepKinds)),
    from: moment.optional(),
    to: moment.optional(),
  },
  { sort: "at", direction: "desc" },
);
export type ListExperimentSteps = z.infer<typeof listExperimentSteps>;
