import { z } from "zod";
import { event } from "../event/event.ts";
import { exposurePhase } from "../exposure/exposure.ts";
import { loadBalancerPhase } from "../load-balancer/load-balancer.ts";
import { nodeState } from "../node/node.ts";
import { volatile } from "../volatile.ts";

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
    recentEvents: z.array(event),
  })
  .meta({ id: "Overview" });
export type Overview = z.infer<typeof overview>;
