import { z } from "zod";
import { idOf } from "../id.ts";
import { moment } from "../moment.ts";
import { listInput, manyOf } from "../page.ts";
import { experimentStates, experimentStepKinds } from "./experiment-states.ts";

/** Nobody's samples are kept raw for longer than a day. */
const longestSeconds = 20 * 3_600;

/** The replica count of a cluster changes by chance for a while, and what follows is measured. */
export const startExperiment = z
  .strictObject({
    clusterId: idOf("cluster"),
    changeEverySeconds: z
      .int()
      .min(2, "2 seconds at least")
      .max(3_600, "an hour at most")
      .default(20)
      .describe("From one change of the replica count to the next."),
    lastsSeconds: z.int().min(10, "10 seconds at least").max(longestSeconds, "20 hours at most").default(600),
    fewestReplicas: z.int().min(1, "one replica has to serve").max(1_000).default(1),
    seed: z
      .int()
      .min(0)
      .max(2 ** 32 - 1)
      .optional()
      .describe("Of the chance: the same seed makes the same choices. Absent: any."),
  })
  .meta({ id: "StartExperiment" });
export type StartExperiment = z.infer<typeof startExperiment>;

/** A replica that takes part: a speaker beside a balancer, and where it has routers send what. */
export const experimentReplica = z
  .object({
    agentId: idOf("agent"),
    nodeId: idOf("node"),
    nodeName: z.string(),
    hops: z.record(z.string(), z.string()).describe("By prefix, the next hop that it announces."),
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
    reason: z.string().describe("Why it ended before its time; empty otherwise."),
    changeEverySeconds: z.int(),
    lastsSeconds: z.int(),
    fewestReplicas: z.int(),
    seed: z.number(),
    replicaCount: z.int(),
    startedBy: z.string(),
    startedAt: z.date(),
    endsAt: z.date(),
    endedAt: z.date().nullable(),
    changeCount: z.int(),
    settledCount: z.int().describe("Of the changes, those that all routes followed before the next."),
    slowestMs: z.int().nullable(),
    brokenConnections: z.int().nullable().describe("That clients of the cluster saw; null where none of them tells."),
  })
  .meta({ id: "Experiment" });
export type Experiment = z.infer<typeof experiment>;

export const experimentDetail = experiment
  .extend({
    replicas: z.array(experimentReplica),
    drained: z.array(idOf("agent")).describe("Who is to serve nobody now."),
    settleMsP50: z.number().nullable(),
    settleMsP99: z.number().nullable(),
    delays: z
      .array(z.object({ atMostMs: z.int().nullable(), count: z.int() }))
      .describe("How many changes took how long until all routes were so; the last has no end."),
  })
  .meta({ id: "ExperimentDetail" });
export type ExperimentDetail = z.infer<typeof experimentDetail>;

/** What was asked for from a moment on, or what routers' kernels were seen to do. */
export const experimentStep = z
  .object({
    id: idOf("experimentStep"),
    kind: z.enum(experimentStepKinds),
    at: z.date().describe("Of what was seen, by the router's clock."),
    number: z.int().nullable(),
    replicas: z.array(z.string()).describe("Agents: the speakers that are to serve, or that a kernel sends to."),
    replicaCount: z.int(),
    settledAt: z
      .date()
      .nullable()
      .describe("When all routes had become as asked; null if they didn't before the next."),
    tookMs: z.int().nullable(),
  })
  .meta({ id: "ExperimentStep" });
export type ExperimentStep = z.infer<typeof experimentStep>;

/** What experimentSeries says of one moment. */
const replicasAt = z.object({ at: z.date(), replicas: z.array(z.string()), replicaCount: z.int() });
const countAt = z.object({ at: z.date(), replicaCount: z.int() });
const valueAt = z.object({ at: z.date(), value: z.number() });

/** What an experiment's charts draw, over one span of time. */
export const experimentSeries = z
  .object({
    from: z.date(),
    to: z.date().describe("Now, while it runs."),
    asked: z.array(countAt).describe("How many were to serve from a moment on."),
    routed: z.array(replicasAt).describe("Agents: the speakers that routers' kernels sent to from a moment on."),
    throughputBps: z.array(valueAt).describe("Of all balancers of the cluster."),
    requestsPerSecond: z.array(valueAt).describe("That clients had answered; empty where none of them tells."),
    broken: z.array(valueAt).nullable().describe("Since it began, up to a moment; null where no client tells."),
  })
  .meta({ id: "ExperimentSeries" });
export type ExperimentSeries = z.infer<typeof experimentSeries>;

/** Of each series. One that an experiment has more of is thinned: of steps, what was so last. */
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
