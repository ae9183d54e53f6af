import { z } from "zod";
import { event, severity } from "../event/event.ts";
import { subjectKind } from "../event/subject.ts";
import { exposurePhase } from "../exposure/exposure.ts";
import { idOf } from "../id.ts";
import { loadBalancerPhase } from "../load-balancer/load-balancer.ts";
import { nodeState } from "../node/node.ts";

/** Something that a person should look at now, with where to look. */
export const attention = z
  .object({
    severity,
    reason: z
      .string()
      .describe(
        "One word that programs may match: NodeSilent, ExposureFailed, ExposureDegraded, PoolNearlyFull, TaskResting.",
      ),
    message: z.string(),
    subjectKind,
    subjectId: z.string(),
    subjectName: z.string(),
    clusterId: idOf("cluster").nullable(),
    since: z.date().nullable(),
  })
  .meta({ id: "Attention" });
export type Attention = z.infer<typeof attention>;

/** How the whole organisation stands, across all its clusters. */
export const overview = z
  .object({
    at: z.date(),
    clusterCount: z.int(),
    nodes: z.object({ total: z.int(), byState: z.record(nodeState, z.int()) }),
    exposures: z.object({ total: z.int(), byPhase: z.record(exposurePhase, z.int()) }),
    loadBalancers: z.object({ total: z.int(), byPhase: z.record(loadBalancerPhase, z.int()) }),
    tasks: z.object({
      due: z.int().describe("Objects that wait to be reconciled."),
      oldestDueMs: z.int().describe("How long the oldest of them has waited; 0 when none does."),
      resting: z.int().describe("Objects that ended in an error which only a change of theirs can cure."),
    }),
    attention: z.array(attention).describe("The most pressing first; fifty at most."),
    attentionTotal: z.int(),
    recentEvents: z.array(event),
  })
  .meta({ id: "Overview" });
export type Overview = z.infer<typeof overview>;
