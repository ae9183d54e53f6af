import { z } from "zod";
import { volatile } from "../volatile.ts";

/** From left to right, as traffic goes. Only the overview has exposures, each with its backends as one place. */
export const flowColumns = ["client", "router", "replica", "exposure", "backend"] as const;
export type FlowColumn = (typeof flowColumns)[number];

/**
 * "clients" are all clients, where no network is sampled; "not-sampled" is the traffic of replicas that sample none;
 * "backends" are all those of an exposure.
 */
export const flowKinds = [
  "clients",
  "network",
  "other-networks",
  "not-sampled",
  "router",
  "replica",
  "load-balancer",
  "backend",
  "exposure",
  "backends",
] as const;
export type FlowKind = (typeof flowKinds)[number];

/** "none" is for what has no state of its own, such as client networks. */
export const flowStates = ["up", "degraded", "draining", "pending", "down", "silent", "unknown", "none"] as const;
export type FlowState = (typeof flowStates)[number];

const bps = z.number().nullable();

export const flowPlace = z
  .object({
    key: z.string().describe("Unique in this answer."),
    column: z.enum(flowColumns),
    kind: z.enum(flowKinds),
    id: z.string().nullable().describe("Of the node, load balancer or exposure; null for anything else."),
    name: z.string().describe("Empty if it stands for several; see size."),
    size: z.int().describe("How many it stands for: the smallest of a column are one place."),
    throughputBps: volatile(bps.describe("From clients, over the last minute; null if not measured.")),
    share: volatile(bps.describe("Of the throughput of its column, 0 … 1.")),
    dropsPerSecond: volatile(z.number().nullable().describe("Packets; null if not measured.")),
    state: z.enum(flowStates),
    backends: volatile(
      z
        .object({ up: z.int(), total: z.int() })
        .nullable()
        .describe("How many backends of the exposure are up; null for anything but kind backends."),
    ),
  })
  .meta({ id: "FlowPlace" });
export type FlowPlace = z.infer<typeof flowPlace>;

export const flowLink = z
  .object({
    from: z.string().describe("The key of a place."),
    to: z.string().describe("The key of a place in a later column."),
    throughputBps: volatile(
      bps.describe("null if not measured, as when several routers send to one replica: it can't distinguish them."),
    ),
  })
  .meta({ id: "FlowLink" });
export type FlowLink = z.infer<typeof flowLink>;

export const trafficFlow = z
  .object({
    at: volatile(z.date()),
    overMs: z.int().describe("The time over which throughput is averaged."),
    places: z.array(flowPlace).describe("By column: client networks by throughput, others by name."),
    links: z.array(flowLink),
    isSampled: z
      .boolean()
      .describe("Whether a client network was sampled in the last minutes, and your permissions include map:read."),
    problems: volatile(z.array(z.string()).describe("Why client networks, or other parts, are missing or incomplete.")),
  })
  .meta({ id: "TrafficFlow" });
export type TrafficFlow = z.infer<typeof trafficFlow>;
