import { z } from "zod";
import { idOf } from "../id.ts";
import { volatile } from "../volatile.ts";
import { protocol } from "./exposed-port.ts";
import { rapBaseline } from "./rap/resource-metrics.ts";

const loadBalancerId = idOf("loadBalancer");
const nodeId = z
  .string()
  .describe("The ID of a node; its name if it has no agent; unknown for instances whose node is unknown.");

/** A node as an entry: connections to the address that start there, or arrive at its balancers, are distributed by its agent. */
export const adaptiveNode = z
  .object({
    nodeId,
    nodeName: z.string(),
    replicaId: idOf("replica").nullable().describe("null if the node has no agent of the role adaptive."),
    loadBalancerId: loadBalancerId.nullable(),
    balancerIds: z
      .array(idOf("replica"))
      .describe("The replicas of balancers on this node, at which connections from outside the cluster arrive."),
    problem: z
      .string()
      .describe("Why connections that start here aren't distributed, or only as before; empty if they are."),
    localShare: volatile(z.number().nullable()).describe(
      "The part of the connections in its last report that stayed on the node, 0 to 1; null without connections.",
    ),
    cores: z.number().nullable().describe("CPU cores that instances on the node may use together."),
    throttledRatio: volatile(z.number().nullable()).describe(
      "How often the CPU limit was reached, of its periods between the last two reports.",
    ),
    refused: volatile(z.int()).describe("Connections for which no instance was up, since the agent has the address."),
    peers: z
      .array(
        z.object({
          nodeId,
          isExchanging: z.boolean().describe("Whether figures arrive from that node."),
          roundTripMs: volatile(z.number().nullable()).describe(
            "The shortest of the last 10 seconds; null if unknown.",
          ),
        }),
      )
      .describe(
        "The other nodes with which it exchanges figures; up to 4,000 of all nodes together, those without figures first.",
      ),
    observedAt: volatile(z.date().nullable()).describe("null before its agent has reported."),
  })
  .meta({ id: "AdaptiveNode" });
export type AdaptiveNode = z.infer<typeof adaptiveNode>;

/** Connections from one node to the instances on another, or on the same one. */
export const adaptiveRoute = z
  .object({
    loadBalancerId,
    port: z.int(),
    protocol,
    fromNodeId: nodeId,
    fromNodeName: z.string(),
    toNodeId: nodeId,
    toNodeName: z.string(),
    share: volatile(z.number()).describe("Of the connections between the last two reports of the first node, 0 to 1."),
    open: volatile(z.int()).describe("Connections now."),
    chosen: volatile(z.int()).describe("Connections since the agent has the address."),
    entered: volatile(z.int()).describe("Of chosen, those that arrived from outside at balancers of the first node."),
    enteredOpen: volatile(z.int()).describe("Of open, the same."),
    failures: volatile(z.int()).describe(
      "Connects that were rejected or not answered, since the agent has the address.",
    ),
    roundTripMs: volatile(z.number().nullable()).describe("Between the nodes; 0 on the same node; null if unknown."),
    inFlight: volatile(z.number().nullable()).describe("Requests at the second node, from all nodes; null if unknown."),
    requestsPerSecond: volatile(z.number().nullable()).describe("That the second node serves; null if unknown."),
    serviceMs: volatile(z.number().nullable()).describe("How long a request takes one core there; null if unknown."),
    cores: z.number().nullable().describe("That instances there may use together; null if unknown."),
    costMs: volatile(z.number().nullable()).describe(
      "The estimated cost of one more request: its round trip, its wait, and the wait of others because of it. null if unknown.",
    ),
    byWeight: z
      .boolean()
      .describe("Whether figures of the second node are missing or too old, so that it gets its share by weight."),
  })
  .meta({ id: "AdaptiveRoute" });
export type AdaptiveRoute = z.infer<typeof adaptiveRoute>;

/** Why one of the sampled connections went where it did. */
export const adaptiveDecision = z
  .object({
    at: z.date(),
    loadBalancerId,
    backendId: z.string().describe("The chosen backend. It may be gone."),
    fromNodeId: nodeId,
    fromNodeName: z.string(),
    toNodeId: nodeId,
    toNodeName: z.string(),
    byWeight: z.boolean().describe("Whether it went there by the share of nodes whose figures are too old."),
    candidates: z
      .array(
        z.object({
          nodeId,
          nodeName: z.string(),
          beside: z.number().describe("Requests there, as estimated for the decision."),
          costMs: z.number().nullable().describe("The cost of one more; null if figures were too old."),
        }),
      )
      .describe("The compared nodes, the cheapest first."),
  })
  .meta({ id: "AdaptiveDecision" });
export type AdaptiveDecision = z.infer<typeof adaptiveDecision>;

/** How an exposure with the strategy adaptive distributes connections now. */
export const adaptiveDetail = z
  .object({
    message: z.string().describe("In one sentence."),
    nodes: z
      .array(adaptiveNode)
      .describe(
        "Where connections may start: the nodes with an agent of the role adaptive, with a balancer for clients outside, or with any instance.",
      ),
    routes: z
      .array(adaptiveRoute)
      .describe("From each node with an agent to each node with instances; up to 4,000, those with connections first."),
    decisions: z.array(adaptiveDecision).describe("The last sampled connections, up to 100, the newest first."),
    rap: rapBaseline
      .nullable()
      .describe(
        "For comparison: what metrics-server measures, and what the strategy RAP would do by it. null if the cluster's Kubernetes API isn't attached.",
      ),
  })
  .meta({ id: "AdaptiveDetail" });
export type AdaptiveDetail = z.infer<typeof adaptiveDetail>;
