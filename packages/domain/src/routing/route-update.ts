import { z } from "zod";
import { idOf } from "../id.ts";
import { moment } from "../moment.ts";
import { listInput } from "../page.ts";
import { prefixFilters } from "./bgp.ts";
import { updatePhases } from "./follow-update.ts";
import { routeSteps } from "./route-steps.ts";

const ms = z.number().min(0).optional();

/** The propagation of a next hop that was added to a prefix or removed: the time of each step, by the clock of its host. */
export const routeUpdate = z
  .object({
    id: idOf("routeUpdate"),
    clusterId: idOf("cluster"),
    clusterName: z.string(),
    prefix: z.string(),
    nextHop: z.string(),
    nodeId: idOf("node").nullable(),
    nodeName: z.string().describe("The node of the balancer at the next hop; empty if it isn't one of ours."),
    isWithdrawal: z
      .boolean()
      .describe("Whether the next hop was removed, or became the last resort: routers then prefer any other."),
    beganAt: z.date(),
    cause: z
      .string()
      .describe(
        "Why it was removed, as reported by its speaker or by the agent that lost the session; empty if unknown.",
      ),
    steps: z
      .array(
        z.object({
          step: z.enum(routeSteps),
          nodeName: z.string().describe("The node that took it."),
          afterMs: z.number().min(0).describe("Time after beganAt."),
        }),
      )
      .describe("The reported steps, in order of time."),
    phasesMs: z
      .object({ find: ms, notice: ms, reflect: ms, deliver: ms, write: ms, carry: ms, converge: ms })
      .describe(
        "The duration of each phase; absent if its first or last step is unknown. It includes the difference between the clocks of two hosts, and is never less than 0.",
      ),
  })
  .meta({ id: "RouteUpdate" });
export type RouteUpdate = z.infer<typeof routeUpdate>;

const span = { from: moment.optional(), to: moment.optional() };

export const listRouteUpdates = listInput(
  ["beganAt"],
  {
    clusterId: idOf("cluster").optional(),
    ...prefixFilters,
    ...span,
  },
  { sort: "beganAt", direction: "desc" },
);
export type ListRouteUpdates = z.infer<typeof listRouteUpdates>;

export const routeDelays = z
  .object({
    boundsMs: z.array(z.number()).describe("The bounds between buckets."),
    delays: z
      .array(
        z.object({
          phase: z.enum(updatePhases),
          isWithdrawal: z.boolean(),
          count: z.int(),
          buckets: z
            .array(z.int())
            .describe(
              "Number of updates in each bucket. The first is below the first bound, the last above the last bound.",
            ),
          msP50: z.number().describe("Estimated from the buckets, as is msP99."),
          msP99: z.number(),
          msMax: z.number(),
        }),
      )
      .describe("The measured phases, in order."),
  })
  .meta({ id: "RouteDelays" });
export type RouteDelays = z.infer<typeof routeDelays>;
export type RouteDelay = RouteDelays["delays"][number];

export const queryRouteDelays = z
  .strictObject({
    clusterId: idOf("cluster").optional(),
    from: moment.describe("Older updates are only stored as hourly counts, so whole hours are included."),
    to: moment.describe("Later than from."),
  })
  .refine((query) => query.from < query.to, { path: ["to"], message: "to must be later than from" });
export type QueryRouteDelays = z.infer<typeof queryRouteDelays>;
