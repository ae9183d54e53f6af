import { z } from "zod";
import { currencyCode } from "../cost/prices/currency-code.ts";
import { idOf } from "../id.ts";
import { labels, objectName } from "../object-name.ts";
import { listInput, manyOf } from "../page.ts";
import { volatile } from "../volatile.ts";
import { condition } from "./condition.ts";
import { exposedPort } from "./exposed-port.ts";
import { exposurePhases } from "./exposure-phases.ts";
import { findPlacementProblem } from "./find-placement-problem.ts";
import { findStrategyProblem } from "./find-strategy-problem.ts";
import { healthCheck } from "./health-check.ts";
import { placement, placements } from "./placement.ts";
import { strategy, strategyType } from "./strategy.ts";
import { workload } from "./workload.ts";

const ports = z
  .array(exposedPort)
  .min(1, "expose at least one port")
  .max(32, "32 ports at most")
  .describe("Each port once for each protocol.")
  .superRefine((list, ctx) => {
    const seen = new Set<string>();
    for (const [i, each] of list.entries()) {
      const key = `${each.protocol}/${each.port}`;
      if (seen.has(key)) ctx.addIssue({ code: "custom", path: [i, "port"], message: `${key} is listed twice` });
      seen.add(key);
    }
  });

const healthCheckSpec = healthCheck
  .nullable()
  .describe("How our own balancers check backends. null: TCP connections to TCP ports, once a second.");

export const createExposure = z
  .strictObject({
    clusterId: idOf("cluster"),
    name: objectName,
    workload,
    ports,
    strategy,
    placements: placements.optional(),
    healthCheck: healthCheckSpec.optional(),
    labels: labels.default({}),
  })
  .superRefine(({ strategy, ports, clusterId, placements }, ctx) => {
    const problem = findStrategyProblem(strategy, ports) ?? findPlacementProblem({ clusterId, strategy, placements });
    if (problem) ctx.addIssue({ code: "custom", ...problem });
  })
  .meta({ id: "CreateExposure" });
export type CreateExposure = z.infer<typeof createExposure>;

/** Which exposure to price, and in which currency. */
export const planExposureCost = createExposure
  .safeExtend({ currency: currencyCode.default("USD") })
  .meta({ id: "PlanExposureCost" });
export type PlanExposureCost = z.infer<typeof planExposureCost>;

/** The fields that can change later. Its own cluster can't, but it may span others. */
export const updateExposure = z
  .strictObject({ name: objectName, workload, ports, strategy, placements, healthCheck: healthCheckSpec, labels })
  .partial()
  .meta({ id: "UpdateExposure" });
export type UpdateExposure = z.infer<typeof updateExposure>;

/** The status as one word; conditions have the reasons. */
export const exposurePhase = z.enum(exposurePhases).meta({ id: "ExposurePhase" });
export type ExposurePhase = z.infer<typeof exposurePhase>;

/** The part of a spec that decides what is created, and how traffic flows. */
export const specInEffect = z
  .object({
    name: z.string(),
    workload,
    ports: z.array(exposedPort),
    strategy,
    placements: z.array(placement),
    healthCheck: healthCheck.nullable(),
  })
  .meta({ id: "SpecInEffect" });
export type SpecInEffect = z.infer<typeof specInEffect>;

export const exposure = z
  .object({
    id: idOf("exposure"),
    clusterId: idOf("cluster"),
    clusterName: z.string(),
    name: z.string(),
    workload,
    ports: z.array(exposedPort),
    strategy,
    placements: z.array(placement).describe("The clusters that it spans. Empty: only its own."),
    healthCheck: healthCheck.nullable(),
    labels,
    generation: z.int().describe("Rises with every change of the spec. The ETag starts with it."),
    observedGeneration: z.int().describe("The generation of the last reconciliation; 0 before the first."),
    phase: exposurePhase,
    message: z.string().describe("The status in one sentence."),
    conditions: z.array(condition),
    observedAt: volatile(z.date().nullable()),
    loadBalancerCount: z.int(),
    addresses: z.array(z.string()).describe("Empty without the permission map:read."),
    createdAt: z.date(),
    updatedAt: z.date(),
    pausedAt: z.date().nullable().describe("Since when nothing is changed outside for it; null if it is not paused."),
    specInEffect: specInEffect
      .nullable()
      .describe("The spec from before the pause, which is in effect until it is resumed; null if it is not paused."),
    deletedAt: z.date().nullable(),
  })
  .meta({ id: "Exposure" });
export type Exposure = z.infer<typeof exposure>;

export const listExposures = listInput(
  ["name", "strategy", "phase", "clusterName", "createdAt", "updatedAt"],
  {
    clusterId: idOf("cluster").optional(),
    strategy: manyOf(strategyType),
    phase: manyOf(exposurePhase),
    isServing: z.boolean().optional().describe("Whether the phase is serving."),
    isPaused: z.boolean().optional().describe("Whether it is paused."),
  },
  { sort: "name", direction: "asc" },
);
export type ListExposures = z.infer<typeof listExposures>;
