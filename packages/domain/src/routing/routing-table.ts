import { z } from "zod";
import { ipAddress, shortPrefix } from "../address/address.ts";
import { idOf } from "../id.ts";

/** A query for an agent's table; see RoutesQuestion in the agent protocol. */
export type RoutesQuestion = { covers: string; prefix: string; after: string; most: number; kernel: boolean };

/** The timeout of an answer. The agent has its table in memory, and the round trip has two hops. */
export const answerWithinMs = 2_500;

/** The largest page: a reflector may have a hundred thousand routes. */
export const mostRoutesAnswered = 200;

export const queryRoutingTable = z
  .strictObject({
    clusterId: idOf("cluster").optional(),
    agentId: idOf("agent").optional().describe("A speaker, reflector or router. Default: all reflectors and routers."),
    covers: ipAddress.optional().describe("An address in the prefix."),
    prefix: shortPrefix.optional().describe("This prefix, and more specific ones."),
    after: z.string().max(200).default("").describe("next of the previous page. Only for a single agent."),
    kernel: z
      .boolean()
      .default(false)
      .describe(
        "true: all routes in routers' kernels, including those that aren't reported. false: routes offered by BGP.",
      ),
    limit: z.int().min(1).max(mostRoutesAnswered).default(100).describe("Maximum number of routes of each agent."),
  })
  .refine(({ agentId, covers, prefix }) => agentId || covers || prefix, {
    path: ["covers"],
    message: "set agentId, to page through its table, or covers or prefix, to search the tables of all agents",
  })
  .refine(({ agentId, after }) => agentId || !after, {
    path: ["after"],
    message: "set the agentId of the previous page",
  });
export type QueryRoutingTable = z.infer<typeof queryRoutingTable>;

/** A route that an agent received by BGP, or offers itself. */
export const offeredRoute = z
  .object({
    prefix: z.string(),
    nextHop: z.string(),
    nextHopName: z.string().describe("The node of the balancer there; empty if none of our balancers announced it."),
    from: z.string().describe("The peer that offers it; empty if it is the agent itself."),
    fromName: z.string().describe("The peer's name in the cluster's routing or of its node; empty if unknown."),
    preference: z.number().describe("LOCAL_PREF."),
    med: z.number(),
    asPath: z.array(z.number()),
    communities: z.array(z.string()),
    isBest: z.boolean(),
    refused: z.string().describe("Why it isn't accepted; empty if it is."),
    since: z.date().nullable().describe("Since when it has been unchanged."),
  })
  .meta({ id: "OfferedRoute" });
export type OfferedRoute = z.infer<typeof offeredRoute>;

/** A route in a router's kernel, read at the time of the query. */
export const writtenRoute = z
  .object({
    prefix: z.string(),
    nextHops: z.array(
      z.object({
        address: z.string(),
        name: z.string().describe("The node of the balancer there; empty if none of our balancers announced it."),
        weight: z.int(),
        share: z
          .number()
          .nullable()
          .describe("Its share of new flows by weight, 0 to 1; null if no weight is above 0."),
      }),
    ),
  })
  .meta({ id: "WrittenRoute" });
export type WrittenRoute = z.infer<typeof writtenRoute>;

/** refused: the agent returned an error; unanswered: no answer in time; silent: not queried, because the agent hasn't reported for long. */
export const answerStates = ["answered", "refused", "unanswered", "silent"] as const;
export type AnswerState = (typeof answerStates)[number];

export const routingTableAnswer = z
  .object({
    agentId: idOf("agent"),
    nodeId: idOf("node"),
    nodeName: z.string(),
    clusterId: idOf("cluster"),
    clusterName: z.string(),
    role: z.string(),
    state: z.enum(answerStates),
    message: z.string().describe("Why there is no answer, and what to do; empty if there is one."),
    routes: z.array(offeredRoute).describe("Sorted by prefix, the best first; empty if the kernel was queried."),
    kernelRoutes: z.array(writtenRoute).describe("Sorted by prefix; empty unless the kernel was queried."),
    next: z.string().nullable().describe("The value of after for the next page of this agent; null on the last page."),
    known: z.int().nullable().describe("Total number of routes of the agent, for any query; null without an answer."),
  })
  .meta({ id: "RoutingTableAnswer" });
export type RoutingTableAnswer = z.infer<typeof routingTableAnswer>;

export const routingTable = z
  .object({
    requestedAt: z.date(),
    answers: z.array(routingTableAnswer).describe("One answer for each agent, reflectors first."),
  })
  .meta({ id: "RoutingTable" });
export type RoutingTable = z.infer<typeof routingTable>;

/** Lists the agents whose table can be queried. */
export const listRoutingTableAgents = z.strictObject({ clusterId: idOf("cluster").optional() });
export type ListRoutingTableAgents = z.infer<typeof listRoutingTableAgents>;

export const routingTableAgents = z
  .object({
    agents: z
      .array(
        routingTableAnswer.pick({
          agentId: true,
          nodeId: true,
          nodeName: true,
          clusterId: true,
          clusterName: true,
          role: true,
        }),
      )
      .describe("Reflectors, routers and speakers; the first two hundred."),
  })
  .meta({ id: "RoutingTableAgents" });
export type RoutingTableAgents = z.infer<typeof routingTableAgents>;

/** An agent's answer, as stored until the requester has read it. */
export type RoutesAnswer = {
  problem: string;
  routes: (Omit<OfferedRoute, "since" | "nextHopName" | "fromName"> & { since: string | null })[];
  kernelRoutes: { prefix: string; nextHops: { address: string; weight: number }[] }[];
  next: string;
  known: number;
};
