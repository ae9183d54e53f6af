import { z } from "zod";
import { ipAddress, prefix } from "../address/address.ts";
import { idOf } from "../id.ts";
import { listInput, manyOf, pageOf } from "../page.ts";
import { announcementStands, bgpSessionStates } from "./bgp-states.ts";

/** Who saw it, and how old that is. */
const seen = {
  clusterId: idOf("cluster"),
  clusterName: z.string(),
  nodeId: idOf("node"),
  nodeName: z.string(),
  role: z.string().describe("Of the agent that saw it."),
  observedAt: z.date().describe("The last report that told of BGP; one without it changes nothing."),
  reportIntervalMs: z.int(),
  isStale: z.boolean().describe("Whoever saw it is silent, or can't observe its host: it is how things were."),
};

export const bgpSession = z
  .object({
    id: idOf("bgpSession"),
    ...seen,
    peerAddress: z.string(),
    peerName: z.string().describe("As the cluster's routing or a node calls it; empty when nothing does."),
    peerAsn: z.number(),
    localAsn: z.number(),
    peerRouterId: z.string(),
    state: z.enum(bgpSessionStates),
    stateSince: z.date().nullable().describe("null if it never was up."),
    lastError: z.string().describe("Why it went down last."),
    trouble: z
      .string()
      .describe(
        "Why it isn't up, as far as anybody knows: a wrong password, too low a TTL, what ended it. Empty while it is up.",
      ),
    holdSeconds: z.int().describe("Agreed with the peer; 0 while it is down."),
    keepaliveSeconds: z.int().describe("Agreed with the peer; 0 while it is down."),
    messagesIn: z.number().describe("Since it came up."),
    messagesOut: z.number().describe("Since it came up."),
    routesReceived: z.number().describe("That the peer offers."),
    routesAccepted: z.number().describe("Of them, by the filter."),
    routesGiven: z.number(),
    ups: z.number().describe("How often it came up."),
    detection: z.string().describe("Of BFD: up, down or init; empty without it."),
    detectIntervalMs: z.int().describe("Of BFD, as it is set; 0 without it."),
    detectMultiplier: z.int().describe("So many intervals of silence end the session; 0 without BFD."),
    isFull: z.boolean().describe("The peer offered more than it may, and is shut."),
  })
  .meta({ id: "BgpSession" });
export type BgpSession = z.infer<typeof bgpSession>;

const ofCluster = { clusterId: idOf("cluster").optional() };

export const listBgpSessions = listInput(
  ["nodeName", "peerAddress", "state", "stateSince"],
  { ...ofCluster, nodeId: idOf("node").optional(), state: manyOf(z.enum(bgpSessionStates)) },
  { sort: "nodeName", direction: "asc" },
);
export type ListBgpSessions = z.infer<typeof listBgpSessions>;

/** How a service address of one balancer replica stands with routers. */
export const announcement = z
  .object({
    id: idOf("announcement"),
    ...seen,
    prefix: z.string(),
    nextHop: z.string(),
    loadBalancerId: idOf("loadBalancer").nullable(),
    loadBalancerName: z.string().nullable(),
    stand: z.enum(announcementStands),
    standSince: z.date(),
    reason: z.string().describe("Why it doesn't stand better; empty when it is offered."),
  })
  .meta({ id: "Announcement" });
export type Announcement = z.infer<typeof announcement>;

/** What is looked for in a list of prefixes. */
export const prefixFilters = {
  covers: ipAddress.optional().describe("An address that the prefix holds."),
  prefix: prefix.optional().describe("This very prefix."),
};

export const listAnnouncements = listInput(
  ["prefix", "nodeName", "stand", "standSince"],
  {
    ...ofCluster,
    ...prefixFilters,
    loadBalancerId: idOf("loadBalancer").optional(),
    stand: manyOf(z.enum(announcementStands)),
  },
  { sort: "prefix", direction: "asc" },
);
export type ListAnnouncements = z.infer<typeof listAnnouncements>;

/** A prefix as a router's kernel has it, read back from there. */
export const route = z
  .object({
    id: idOf("route"),
    ...seen,
    prefix: z.string(),
    since: z.date(),
    nextHops: z.array(
      z.object({
        address: z.string(),
        nodeId: idOf("node").nullable(),
        nodeName: z.string().describe("Of the balancer there; empty when none of ours has announced it."),
        weight: z.int().describe("As the kernel has it."),
        share: z.number().nullable().describe("Of new flows, by the weights: 0 to 1; null when no weight is above 0."),
        throughputBps: z
          .number()
          .nullable()
          .describe(
            "That the balancer there measured for the prefix's load balancer, over the minute before measuredAt; null if it told of nothing.",
          ),
        measuredShare: z
          .number()
          .nullable()
          .describe("Of what was measured at all these next hops, 0 to 1; null when nothing was, or nothing came."),
        measuredAt: z.date().nullable(),
        since: z.date(),
      }),
    ),
  })
  .meta({ id: "Route" });
export type Route = z.infer<typeof route>;

/** A page of routes, and of whose routes there are more than any page has. */
export const routePage = pageOf(route).extend({
  leftOut: z
    .array(
      z.object({
        agentId: idOf("agent"),
        nodeId: idOf("node"),
        nodeName: z.string(),
        kept: z.int().describe("Routes that its agent reports, and that are listed."),
        known: z.int().describe("Routes that its kernel has."),
      }),
    )
    .describe("Routers with more routes than they report: those are asked for by GET /routing-table with kernel=true."),
});
export type RoutePage = z.infer<typeof routePage>;
export type RoutesLeftOut = RoutePage["leftOut"][number];

export const listRoutes = listInput(
  ["prefix", "nodeName", "since"],
  { ...ofCluster, ...prefixFilters },
  { sort: "prefix", direction: "asc" },
);
export type ListRoutes = z.infer<typeof listRoutes>;
