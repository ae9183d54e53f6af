import { z } from "zod";
import { event, severity } from "../event/event.ts";
import { subjectKind } from "../event/subject.ts";
import { exposurePhase } from "../exposure/exposure.ts";
import { idOf } from "../id.ts";
import { loadBalancerPhase } from "../load-balancer/load-balancer.ts";
import { nodeState } from "../node/node.ts";
import { volatile } from "../volatile.ts";

/** A problem that needs attention, with its subject. */
export const attention = z
  .object({
    severity,
    reason: z
      .string()
      .describe(
        "One word for programs to match: NodeSilent, ExposureFailed, ExposureDegraded, PoolNearlyFull, TaskResting.",
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

/** The status of an organisation, across all its clusters. */
export const overview = z
  .object({
    at: volatile(z.date()),
    clusterCount: z.int(),
    nodes: z.object({ total: z.int(), byState: z.record(nodeState, z.int()) }),
    exposures: z.object({ total: z.int(), byPhase: z.record(exposurePhase, z.int()) }),
    loadBalancers: z.object({ total: z.int(), byPhase: z.record(loadBalancerPhase, z.int()) }),
    tasks: z.object({
      due: z.int().describe("Number of objects waiting to be reconciled."),
      oldestDueMs: volatile(z.int().describe("How long the oldest of them has waited; 0 if there is none.")),
      resting: z.int().describe("Number of objects with an error that only a change of the object can fix."),
    }),
    attention: z.array(attention).describe("The most severe first; fifty at most."),
    attentionTotal: z.int(),
    recentEvents: z.array(event),
  })
  .meta({ id: "Overview" });
export type Overview = z.infer<typeof overview>;
