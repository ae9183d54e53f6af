import { z } from "zod";
import { volatile } from "../../volatile.ts";

/** What metrics-server measured, and what it is a part of. */
export const measuredResources = z
  .object({
    cpuCores: volatile(z.number()).describe("Used, on average over the window."),
    cpuCapacityCores: z.number().nullable().describe("What may be used; null if unknown."),
    memoryBytes: volatile(z.number()).describe("Used; of pods, what they don't give back under pressure."),
    memoryCapacityBytes: z.number().nullable().describe("What may be used; null if unknown."),
    measuredAt: volatile(z.date()).describe("The end of the window; of several pods, of the oldest figures."),
    windowMs: volatile(z.number()).describe("Over which CPU was measured; of several pods, the longest."),
  })
  .meta({ id: "MeasuredResources" });
export type MeasuredResources = z.infer<typeof measuredResources>;

/** NodeResources is what metrics-server measured on a node for an exposure. */
export type NodeResources = {
  nodeName: string;
  node: MeasuredResources | null;
  /** Ready pods of the exposure there, also those without figures yet. */
  instanceCount: number;
  /** Those with figures, together. Their capacity is their limits, or else the node's. */
  instances: MeasuredResources | null;
};

/** ResourceMetrics is what was last read for an exposure from the API metrics.k8s.io of its cluster. */
export type ResourceMetrics = {
  /** Why there are no current figures, and the cure; empty if there are. */
  problem: string;
  /** When that API was last read, or tried. */
  readAt: Date;
  nodes: NodeResources[];
};

const nodeId = z.string().describe("The ID of a node; its name if it has no agent.");

export const rapNode = z
  .object({
    nodeId,
    nodeName: z.string(),
    node: measuredResources.nullable().describe("The whole node by metrics-server; null without figures."),
    instanceCount: z.int().describe("Ready instances of the exposure on the node."),
    instances: measuredResources
      .nullable()
      .describe("They, together, by metrics-server. The capacity is their limits; the node's if one has no limit."),
    measuredCores: volatile(z.number().nullable()).describe(
      "CPU cores that requests of the exposure keep busy there, as its agent measures them; null if unknown.",
    ),
    isOverloaded: z
      .boolean()
      .nullable()
      .describe("By RAP: no instance, or CPU or memory of them at the threshold; null if it can't be decided."),
    sendsToNodeId: nodeId.nullable().describe("Where RAP would send requests that enter here; null likewise."),
    sendsToNodeName: z.string().nullable(),
    undecided: z.string().describe("Why it can't be decided; empty otherwise."),
  })
  .meta({ id: "RapNode" });
export type RapNodeSeen = z.infer<typeof rapNode>;

/** What metrics-server measures, and what the baseline RAP would do by it. */
export const rapBaseline = z
  .object({
    problem: z
      .string()
      .describe("Why there are no current figures of metrics-server, and the cure; empty if there are."),
    readAt: volatile(z.date().nullable()).describe("When metrics.k8s.io was last read, or tried; null for never."),
    thresholdPercent: z.number().describe("Of CPU and memory, from which RAP counts a node as overloaded."),
    nodes: z.array(rapNode).describe("The nodes where connections may start; up to 500."),
  })
  .meta({ id: "RapBaseline" });
export type RapBaseline = z.infer<typeof rapBaseline>;
