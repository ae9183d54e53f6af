import { z } from "zod";
import { idOf } from "../id.ts";
import { moment } from "../moment.ts";
import { listInput } from "../page.ts";
import { prefixFilters } from "./bgp.ts";
import { updatePhases } from "./follow-update.ts";
import { routeSteps } from "./route-steps.ts";

const ms = z.number().min(0).optional();

/** The way of one next hop that came to a prefix, or went: when it took which step, by the clock of the host that took it. */
export const routeUpdate = z
  .object({
    id: idOf("routeUpdate"),
    clusterId: idOf("cluster"),
    clusterName: z.string(),
    prefix: z.string(),
    nextHop: z.string(),
    nodeId: idOf("node").nullable(),
    nodeName: z.string().describe("Of the balancer at the next hop; empty when none of ours is known there."),
    isWithdrawal: z
      .boolean()
      .describe("The next hop went, or became the last resort: routers prefer any other from there on."),
    beganAt: z.date(),
    cause: z
      .string()
      .describe("Why it went, in a sentence of its speaker, or of whoever lost the session; empty where nobody said."),
    steps: z
      .array(
        z.object({
          step: z.enum(routeSteps),
          nodeName: z.string().describe("Who took it."),
          afterMs: z.number().min(0).describe("After beganAt."),
        }),
      )
      .describe("In order of time. One that nobody has told of is not among them."),
    phasesMs: z
      .object({ find: ms, notice: ms, reflect: ms, deliver: ms, write: ms, carry: ms, converge: ms })
      .describe(
        "How long each phase took; absent where a step at one of its ends is unknown. Where the clocks of two hosts differ, the difference is in it; it is never less than 0.",
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
    boundsMs: z.array(z.number()).describe("Where one bucket ends and the next begins."),
    delays: z
      .array(
        z.object({
          phase: z.enum(updatePhases),
          isWithdrawal: z.boolean(),
          count: z.int(),
          buckets: z
            .array(z.int())
            .describe("How many took so long: the first is below the first bound, the last above the last."),
          msP50: z.number().describe("Read off the buckets, as is msP99."),
          msP99: z.number(),
          msMax: z.number(),
        }),
      )
      .describe("Of phases that were measured, in their order."),
  })
  .meta({ id: "RouteDelays" });
export type RouteDelays = z.infer<typeof routeDelays>;
export type RouteDelay = RouteDelays["delays"][number];

export const queryRouteDelays = z
  .strictObject({
    clusterId: idOf("cluster").optional(),
    from: moment.describe("Of updates that are no longer kept one by one, whole hours are counted."),
    to: moment,
  })
  .refine((query) => query.from < query.to, { path: ["to"], message: "to must be later than from" });
export type QueryRouteDelays = z.infer<typeof queryRouteDelays>;
