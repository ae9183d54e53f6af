import { z } from "zod";
import { idOf } from "../id.ts";
import { volatile } from "../volatile.ts";
import { announcementStates } from "./bgp-states.ts";

/** stale: the reporting agent is silent, or can't observe its host. */
export const linkStates = ["up", "down", "stale"] as const;
export type LinkState = (typeof linkStates)[number];

const counts = z.object({ up: z.int(), down: z.int(), stale: z.int() });
export type LinkCounts = z.infer<typeof counts>;

/** A node of the graph: one router, reflector or balancer, or many of a kind if there are too many to show. */
export const topologyPlace = z.object({
  key: z.string(),
  clusterId: idOf("cluster"),
  column: z.enum(["router", "reflector", "speaker"]),
  name: z.string().describe("Its name; empty for many."),
  nodeId: idOf("node").nullable().describe("null if it isn't one of ours, and for many."),
  size: z.int().describe("Number of routers, reflectors or balancers that it represents."),
});
export type TopologyPlace = z.infer<typeof topologyPlace>;

export const routingSummary = z
  .object({
    at: volatile(z.date()),
    sessions: counts.extend({ total: z.int() }).describe("Each session is counted once, though both ends report it."),
    announcements: z.object({
      total: z.int(),
      stale: z.int(),
      byState: z.record(z.enum(announcementStates), z.int()).describe("Only those that aren't stale."),
    }),
    routes: z.object({
      total: z.int(),
      stale: z.int(),
      routerCount: z.int(),
      fewestNextHops: z.int().describe("Fewest next hops of a route; 0 without routes."),
      mostNextHops: z.int(),
    }),
    topology: z.object({
      places: z.array(topologyPlace),
      links: z
        .array(z.object({ from: z.string(), to: z.string(), ...counts.shape }))
        .describe("Number of sessions between two places."),
      flows: z
        .array(
          z.object({
            from: z.string(),
            to: z.string(),
            share: z.number().nullable().describe("Its share of the router's new flows, by the weights of all routes."),
            throughputBps: volatile(
              z.number().nullable().describe("Throughput that balancers measured over the last minute."),
            ),
            measuredShare: volatile(z.number().nullable()),
            isStale: z.boolean(),
          }),
        )
        .describe("Traffic from routers' kernels to balancers."),
      leftOut: z.int().describe("Number of sessions that aren't shown, because there are too many."),
    }),
  })
  .meta({ id: "RoutingSummary" });
export type RoutingSummary = z.infer<typeof routingSummary>;
export type Topology = RoutingSummary["topology"];

export const getRoutingSummary = z.strictObject({ clusterId: idOf("cluster").optional() });
export type GetRoutingSummary = z.infer<typeof getRoutingSummary>;
