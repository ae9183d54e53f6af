import { z } from "zod";
import { plainText } from "../../plain-text.ts";
import { volatile } from "../../volatile.ts";
import { protocol } from "../exposed-port.ts";
import { simulatorLimits } from "./simulator-limits.ts";

const nodeId = plainText(253)
  .min(1, "enter the ID of a node")
  .describe("The ID of a node; its name if it has no agent. Both are in adaptive.nodes of the exposure.");
const number = z.number("enter a number");
const roundTripMs = number.min(0.01, "enter at least 0.01 ms").max(10_000, "enter at most 10,000 ms");
const instances = z.int("enter a whole number").min(0, "enter 0 or more").max(30, "enter at most 30");

/** The most nodes that are simulated. */
export const mostWhatIfNodes = simulatorLimits.nodes;
const tooManyNodes = `name at most ${mostWhatIfNodes} nodes`;

/** A change of an exposure with the strategy adaptive. What isn't set is as measured. */
export const whatIfChange = z
  .strictObject({
    port: z.int().min(1).max(65_535).optional().describe("Default: the port with the most requests."),
    protocol: protocol.optional().describe("Default: that of the port with the most requests."),
    instances: z
      .array(z.strictObject({ nodeId, count: instances }))
      .max(mostWhatIfNodes, tooManyNodes)
      .default([])
      .describe("The number of instances on nodes."),
    roundTripMs: roundTripMs.optional().describe("The round trip between any two nodes."),
    roundTrips: z
      .array(z.strictObject({ fromNodeId: nodeId, toNodeId: nodeId, roundTripMs }))
      .max(500)
      .default([])
      .describe("The round trips between pairs of nodes, the same in both directions. They win over roundTripMs."),
    slowed: z
      .array(
        z.strictObject({
          nodeId,
          times: number
            .min(0.1, "enter at least 0.1")
            .max(100, "enter at most 100")
            .describe("2: requests take twice as long there."),
        }),
      )
      .max(mostWhatIfNodes, tooManyNodes)
      .default([])
      .describe("Nodes on which requests take longer, or shorter, than now."),
  })
  .refine(
    ({ instances, roundTripMs, roundTrips, slowed }) =>
      roundTripMs !== undefined || instances.length + roundTrips.length + slowed.length > 0,
    { message: "set what changes: instances, roundTripMs, roundTrips or slowed" },
  );
export type WhatIfChange = z.output<typeof whatIfChange>;

/** nodesNamedIn returns the nodes of a change, by their IDs. */
export function nodesNamedIn({ instances, slowed, roundTrips }: WhatIfChange): Set<string> {
  const ends = roundTrips.flatMap((each) => [each.fromNodeId, each.toNodeId]);
  return new Set([...[...instances, ...slowed].map((each) => each.nodeId), ...ends]);
}

const latency = z.number().nullable();

export const whatIfPrediction = z
  .object({
    load: z
      .number()
      .describe(
        "Of the cores of nodes with instances, 0 to 1. From 1 on, requests wait ever longer: the rest is null.",
      ),
    latencyMsMean: latency.describe(
      "From the request at its client's node to the reply there, with the time to connect if it has to.",
    ),
    latencyMsP50: latency,
    latencyMsP99: latency,
    localShare: latency.describe("The part of requests that stays on its node, 0 to 1."),
    nodes: z.array(
      z.object({
        nodeId: z.string(),
        nodeName: z.string(),
        instances: z.int(),
        requestsPerSecond: z.number().describe("That enter at the node, wherever they are served."),
        busyRatio: latency.describe("The part of its cores that requests use."),
      }),
    ),
  })
  .meta({ id: "WhatIfPrediction" });
export type WhatIfPrediction = z.infer<typeof whatIfPrediction>;

export const whatIf = z
  .object({
    port: z.int(),
    protocol,
    now: whatIfPrediction.describe("Predicted from the same figures without the change."),
    changed: whatIfPrediction,
    observedAt: volatile(z.date().describe("When the oldest of the figures was reported.")),
    assumptions: z.array(z.string()).describe("What isn't measured, and what is assumed instead."),
  })
  .meta({ id: "WhatIf" });
export type WhatIf = z.infer<typeof whatIf>;
