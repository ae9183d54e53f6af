import { z } from "zod";
import { ipAddress, shortPrefix } from "../address/address.ts";
import { idOf } from "../id.ts";

/** What an agent is asked about its table; see RoutesQuestion of the agent protocol. */
export type RoutesQuestion = { covers: string; prefix: string; after: string; most: number; kernel: boolean };

/** How long an answer may take. The agent has its table in memory; the way there and back is two hops. */
export const answerWithinMs = 2_500;

/** No page is longer: a reflector may know a hundred thousand routes. */
export const mostRoutesAnswered = 200;

export const queryRoutingTable = z
  .strictObject({
    clusterId: idOf("cluster").optional(),
    agentId: idOf("agent")
      .optional()
      .describe("Of a speaker, a reflector or a router; else all reflectors and routers are asked."),
    covers: ipAddress.optional().describe("An address that the prefix holds."),
    prefix: shortPrefix.optional().describe("This prefix, and those inside."),
    after: z.string().max(200).default("").describe("next of the page before; only of one agent."),
    kernel: z
      .boolean()
      .default(false)
      .describe("What routers' kernels have, also past what they report; else what was offered by BGP."),
    limit: z.int().min(1).max(mostRoutesAnswered).default(100).describe("How many routes of each agent at most."),
  })
  .refine(({ agentId, covers, prefix }) => agentId || covers || prefix, {
    path: ["covers"],
    message: "name an agent, to page through its table, or what to look for in the tables of all: covers or prefix",
  })
  .refine(({ agentId, after }) => agentId || !after, { path: ["after"], message: "name the agent whose page it was" });
export type QueryRoutingTable = z.infer<typeof queryRoutingTable>;

/** A route as an agent that speaks BGP was offered it, or offers it itself. */
export const offeredRoute = z
  .object({
    prefix: z.string(),
    nextHop: z.string(),
    nextHopName: z.string().describe("Of the balancer there; empty when none of ours has announced it."),
    from: z.string().describe("The peer that offers it; empty when it is the agent itself."),
    fromName: z.string().describe("As the cluster's routing or a node calls the peer; empty when nothing does."),
    preference: z.number().describe("LOCAL_PREF."),
    med: z.number(),
    asPath: z.array(z.number()),
    communities: z.array(z.string()),
    isBest: z.boolean(),
    refused: z.string().describe("Why it isn't taken; empty when it is."),
    since: z.date().nullable().describe("That it is as it is."),
  })
  .meta({ id: "OfferedRoute" });
export type OfferedRoute = z.infer<typeof offeredRoute>;

/** A route that a router's kernel has, read when it was asked. */
export const writtenRoute = z
  .object({
    prefix: z.string(),
    nextHops: z.array(
      z.object({
        address: z.string(),
        name: z.string().describe("Of the balancer there; empty when none of ours has announced it."),
        weight: z.int(),
        share: z.number().nullable().describe("Of new flows, by the weights: 0 to 1; null when no weight is above 0."),
      }),
    ),
  })
  .meta({ id: "WrittenRoute" });
export type WrittenRoute = z.infer<typeof writtenRoute>;

/** answered; refused: the agent says why not; unanswered: it did not say anything in time; silent: it wasn't asked, for it has not reported for long. */
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
    message: z.string().describe("Why there is no answer, and what to do; empty when there is one."),
    routes: z.array(offeredRoute).describe("By prefix, the best first; none when the kernel was asked."),
    kernelRoutes: z.array(writtenRoute).describe("By prefix; none unless the kernel was asked."),
    next: z
      .string()
      .nullable()
      .describe("Give it back as after, with the agent's id, for the next page; null on the last."),
    known: z.int().nullable().describe("How many routes the agent knows, whatever was asked; null without an answer."),
  })
  .meta({ id: "RoutingTableAnswer" });
export type RoutingTableAnswer = z.infer<typeof routingTableAnswer>;

export const routingTable = z
  .object({
    askedAt: z.date(),
    answers: z.array(routingTableAnswer).describe("One of each agent, reflectors first."),
  })
  .meta({ id: "RoutingTable" });
export type RoutingTable = z.infer<typeof routingTable>;

/** Who has a table that can be asked for. */
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

/** What an agent answered, as it is kept until whoever asked has read it. */
export type RoutesAnswer = {
  problem: string;
  routes: (Omit<OfferedRoute, "since" | "nextHopName" | "fromName"> & { since: string | null })[];
  kernelRoutes: { prefix: string; nextHops: { address: string; weight: number }[] }[];
  next: string;
  known: number;
};
