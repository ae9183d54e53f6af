import { z } from "zod";
import { currencyCode } from "../cost/prices/currency-code.ts";
import { workload } from "../exposure/workload.ts";
import { idOf } from "../id.ts";
import { listInput, manyOf } from "../page.ts";
import { volatile } from "../volatile.ts";
import { moveGateNames, moveGateStates, moveStates } from "./move-states.ts";

const share = z.int("enter a whole number of percent").min(1, "1 % at least").max(100, "100 % at most");

/** The limits that the figures of the target are compared with. A limit of null switches its gate off. */
export const moveGates = z
  .strictObject({
    minBackendsUp: z
      .int("enter a whole number of backends")
      .min(1, "1 backend at least")
      .max(10_000, "10,000 backends at most")
      .default(1)
      .describe("The least number of backends that are up in the target."),
    maxErrorPercent: z
      .number()
      .min(0, "0 % at least")
      .max(100, "100 % at most")
      .nullable()
      .default(1)
      .describe("The most packets that the target's balancers drop, in percent of those for the exposure."),
    maxLatencyMsP99: z
      .number()
      .min(0.1, "0.1 ms at least")
      .max(60_000, "a minute at most")
      .nullable()
      .default(1_000)
      .describe("The greatest time to set up a connection in the target, p99."),
    maxCpuPercent: z
      .number()
      .min(1, "1 % at least")
      .max(100, "100 % at most")
      .nullable()
      .default(85)
      .describe("The greatest CPU use of a node with a balancer in the target."),
  })
  .meta({ id: "MoveGates" });
export type MoveGates = z.infer<typeof moveGates>;

export const usualGates = moveGates.parse({});
export const usualSteps = [5, 25, 50, 100];

const stepsText = "The target's share of new connections after each step, in percent: rising to 100.";
export const moveSteps = z
  .array(share)
  .min(2, "list two steps at least: the target has to serve a part before it gets all")
  .max(20, "20 steps at most")
  .superRefine((steps, ctx) => {
    const fallen = steps.findIndex((each, i) => i > 0 && each <= (steps[i - 1] ?? 0));
    if (fallen > 0)
      ctx.addIssue({
        code: "custom",
        path: [fallen],
        message: `${steps[fallen]} % after ${steps[fallen - 1]} % is no step forward: enter more, or remove it`,
      });
    else if (steps.at(-1) !== 100)
      ctx.addIssue({
        code: "custom",
        path: [steps.length - 1],
        message: `the last step is ${steps.at(-1)} %: add one of 100 %`,
      });
  })
  .describe(stepsText);

export const startMove = z
  .strictObject({
    exposureId: idOf("exposure"),
    clusterId: idOf("cluster").describe("The target."),
    workload: workload.optional().describe("The workload in the target. Default: that of the exposure."),
    steps: moveSteps.optional().describe(`${stepsText} Default: ${usualSteps.join(", ")}.`),
    watchSeconds: z
      .int("enter a whole number of seconds")
      .min(15, "15 seconds at least: figures arrive every 5")
      .max(86_400, "a day at most")
      .default(60)
      .describe("How long each step is watched, from when the target serves."),
    gates: moveGates.optional().describe("Default: each limit has its own default."),
  })
  .meta({ id: "StartMove" });
export type StartMove = z.infer<typeof startMove>;

export const previewMove = startMove.extend({ currency: currencyCode.default("USD") }).meta({ id: "PreviewMove" });
export type PreviewMove = z.infer<typeof previewMove>;

const hourly = z.int().nullable().describe("In millionths of the currency; null if a price is unknown.");

/** What a move would do. */
export const movePreview = z
  .object({
    fromClusterName: z.string(),
    toClusterName: z.string(),
    steps: z.array(
      z.object({
        share: z.int().describe("The target's, in percent."),
        afterSeconds: z.int().describe("The earliest time after the start."),
      }),
    ),
    leastSeconds: z.int().describe("How long the move takes if no gate closes and it is never paused."),
    cost: z.object({
      currency: z.string(),
      hasPriceBook: z
        .boolean()
        .describe("Whether the organisation's own prices apply. Otherwise these are list prices."),
      beforeHourlyMicros: hourly,
      duringHourlyMicros: hourly,
      afterHourlyMicros: hourly,
      reason: z.string().describe("Why a price is unknown, or nothing is paid; empty otherwise."),
    }),
    breaks: z.array(z.string()).describe("What breaks or changes for clients and operators."),
    warnings: z.array(z.string()),
  })
  .meta({ id: "MovePreview" });
export type MovePreview = z.infer<typeof movePreview>;

export const moveState = z.enum(moveStates).meta({ id: "MoveState" });
export type MoveState = z.infer<typeof moveState>;

/** A gate, as it was judged last. */
export const moveGate = z
  .object({
    name: z.enum(moveGateNames),
    state: z.enum(moveGateStates),
    value: z.number().nullable().describe("The figure; null if there is none."),
    limit: z.number().nullable().describe("null if the gate is switched off."),
    message: z.string(),
  })
  .meta({ id: "MoveGate" });
export type MoveGate = z.infer<typeof moveGate>;

export const move = z
  .object({
    id: idOf("move"),
    exposureId: idOf("exposure"),
    exposureName: z.string(),
    fromClusterId: idOf("cluster"),
    fromClusterName: z.string(),
    toClusterId: idOf("cluster"),
    toClusterName: z.string(),
    workload: workload.nullable().describe("The workload in the target; null: that of the exposure."),
    steps: z.array(z.int()),
    watchSeconds: z.int(),
    gates: moveGates,
    state: moveState,
    reason: z.string().describe("Why it is paused, rolls back or ended early; empty otherwise."),
    step: z.int().describe("How many steps are applied; 0 before the first."),
    share: z.int().describe("The target's present share of new connections, in percent."),
    stepAt: z.date().nullable().describe("When the present step was applied, or watching it began again."),
    nextStepAt: volatile(z.date().nullable()).describe("When the next step is due if all gates stay open."),
    figures: volatile(z.array(moveGate)).describe("The gates, as they were judged last."),
    judgedAt: volatile(z.date().nullable()),
    startedBy: z.string(),
    startedAt: z.date(),
    endedAt: z.date().nullable(),
  })
  .meta({ id: "Move" });
export type Move = z.infer<typeof move>;

/** A change of the shares, or of the state. */
export const moveStep = z
  .object({ at: z.date(), share: z.int(), state: moveState, message: z.string() })
  .meta({ id: "MoveStep" });
export type MoveStep = z.infer<typeof moveStep>;

export const moveDetail = move
  .extend({ history: z.array(moveStep).describe("What happened, the first first.") })
  .meta({ id: "MoveDetail" });
export type MoveDetail = z.infer<typeof moveDetail>;

export const listMoves = listInput(
  ["startedAt"],
  { exposureId: idOf("exposure").optional(), state: manyOf(moveState) },
  { sort: "startedAt", direction: "desc" },
);
export type ListMoves = z.infer<typeof listMoves>;
