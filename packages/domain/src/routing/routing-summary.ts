import { z } from "zod";
import { idOf } from "../id.ts";
import { announcementStands } from "./bgp-states.ts";

/** stale: whoever tells of it is silent, or can't observe its host. */
export const linkStates = ["up", "down", "stale"] as const;
export type LinkState = (typeof linkStates)[number];

const counts = z.object({ up: z.int(), down: z.int(), stale: z.int() });
export type LinkCounts = z.infer<typeof counts>;

/** A place of the picture: one router, reflector or balancer, or many of a kind where there are too many to draw. */
export const topologyPlace = z.object({
  key: z.string(),
  clusterId: idOf("cluster"),
  column: z.enum(["router", "reflector", "speaker"]),
  name: z.string().describe("Empty for many."),
  nodeId: idOf("node").nullable().describe("null for one that is none of ours, and for many."),
  size: z.int().describe("How many it stands for."),
});
export type TopologyPlace = z.infer<typeof topologyPlace>;

export const routingSummary = z
  .object({
    at: z.date(),
    sessions: counts.extend({ total: z.int() }).describe("Each once, though both ends tell of it."),
    announcements: z.object({
      total: z.int(),
      stale: z.int(),
      byStand: z.record(z.enum(announcementStands), z.int()).describe("Of those that aren't stale."),
    }),
    routes: z.object({
      total: z.int(),
      stale: z.int(),
      routerCount: z.int(),
      fewestNextHops: z.int().describe("Of one route; 0 without any."),
      mostNextHops: z.int(),
    }),
    topology: z.object({
      places: z.array(topologyPlace),
      links: z
        .array(z.object({ from: z.string(), to: z.string(), ...counts.shape }))
        .describe("Sessions between two places."),
      flows: z
        .array(
          z.object({
            from: z.string(),
            to: z.string(),
            share: z.number().nullable().describe("Of the router's new flows, by the weights of all its routes."),
            throughputBps: z.number().nullable().describe("That balancers measured over the last minute."),
            measuredShare: z.number().nullable(),
            isStale: z.boolean(),
          }),
        )
        .describe("What routers' kernels send to balancers."),
      leftOut: z.int().describe("Sessions that there were too many of to draw."),
    }),
  })
  .meta({ id: "RoutingSummary" });
export type RoutingSummary = z.infer<typeof routingSummary>;
export type Topology = RoutingSummary["topology"];

export const getRoutingSummary = z.strictObject({ clusterId: idOf("cluster").optional() });
export type GetRoutingSummary = z.infer<typeof getRoutingSummary>;
