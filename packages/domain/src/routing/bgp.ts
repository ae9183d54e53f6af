import { z } from "zod";
import { ipAddress, prefix } from "../address/address.ts";
import { idOf } from "../id.ts";
import { listInput, manyOf, pageOf } from "../page.ts";
import { volatile } from "../volatile.ts";
import { announcementStates, bgpSessionStates } from "./bgp-states.ts";

/** Who observed it, and when. */
const seen = {
  clusterId: idOf("cluster"),
  clusterName: z.string(),
  nodeId: idOf("node"),
  nodeName: z.string(),
  role: z.string().describe("The role of the agent that observed it."),
  observedAt: volatile(z.date().describe("The last report with BGP data. Reports without it change nothing.")),
  reportIntervalMs: z.int(),
  isStale: z.boolean().describe("Whether the data is outdated: the agent is silent, or can't observe its host."),
};

export const bgpSession = z
  .object({
    id: idOf("bgpSession"),
    ...seen,
    peerAddress: z.string(),
    peerName: z.string().describe("The peer's name in the cluster's routing or of its node; empty if unknown."),
    peerAsn: z.number(),
    localAsn: z.number(),
    peerRouterId: z.string(),
    state: z.enum(bgpSessionStates),
    stateSince: z.date().nullable().describe("null if it was never up."),
    lastError: z.string().describe("Why it last went down."),
    trouble: z
      .string()
      .describe(
        "Why it isn't up, if known: a wrong password, a TTL that is too low, the error that ended it. Empty while it is up.",
      ),
    holdSeconds: z.int().describe("The hold time negotiated with the peer; 0 while it is down."),
    keepaliveSeconds: z.int().describe("The keepalive interval negotiated with the peer; 0 while it is down."),
    messagesIn: volatile(z.number().describe("Messages received since it came up.")),
    messagesOut: volatile(z.number().describe("Messages sent since it came up.")),
    routesReceived: z.number().describe("Number of routes that the peer offers."),
    routesAccepted: z.number().describe("Number of them that the filter accepts."),
    routesAdvertised: z.number(),
    establishedCount: z.number().describe("Number of times that it came up."),
    detection: z.string().describe("The state of BFD: up, down or init; empty without BFD."),
    detectIntervalMs: z.int().describe("The configured BFD interval; 0 without BFD."),
    detectMultiplier: z.int().describe("Number of missed BFD intervals that end the session; 0 without BFD."),
    isFull: z.boolean().describe("Whether the session was closed because the peer exceeded the route limit."),
  })
  .meta({ id: "BgpSession" });
export type BgpSession = z.infer<typeof bgpSession>;

const isStale = z.boolean().optional().describe("Whether the data is outdated.");
const ofCluster = { clusterId: idOf("cluster").optional() };

export const listBgpSessions = listInput(
  ["nodeName", "peerAddress", "state", "stateSince"],
  {
    ...ofCluster,
    nodeId: idOf("node").optional(),
    state: manyOf(z.enum(bgpSessionStates)),
    isEstablished: z.boolean().optional().describe("Whether the state is established."),
    isStale,
  },
  { sort: "nodeName", direction: "asc" },
);
export type ListBgpSessions = z.infer<typeof listBgpSessions>;

/** The state of a replica's service address at routers. */
export const announcement = z
  .object({
    id: idOf("announcement"),
    ...seen,
    prefix: z.string(),
    nextHop: z.string(),
    loadBalancerId: idOf("loadBalancer").nullable().describe("null if unknown, and without the permission map:read."),
    loadBalancerName: z.string().nullable().describe("null if unknown, and without the permission map:read."),
    state: z.enum(announcementStates),
    stateSince: z.date(),
    reason: z.string().describe("Why it isn't offered; empty if it is."),
  })
  .meta({ id: "Announcement" });
export type Announcement = z.infer<typeof announcement>;

/** Filters of a list of prefixes. */
export const prefixFilters = {
  covers: ipAddress.optional().describe("An address in the prefix."),
  prefix: prefix.optional().describe("This exact prefix."),
};

export const listAnnouncements = listInput(
  ["prefix", "nodeName", "state", "stateSince"],
  {
    ...ofCluster,
    ...prefixFilters,
    loadBalancerId: idOf("loadBalancer").optional(),
    state: manyOf(z.enum(announcementStates)),
    isStale,
  },
  { sort: "prefix", direction: "asc" },
);
export type ListAnnouncements = z.infer<typeof listAnnouncements>;

/** A prefix in a router's kernel, as read back from it. */
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
        nodeName: z.string().describe("The node of the balancer there; empty if none of our balancers announced it."),
        weight: z.int().describe("The weight in the kernel."),
        share: z
          .number()
          .nullable()
          .describe("Its share of new flows by weight, 0 to 1; null if no weight is above 0."),
        throughputBps: volatile(
          z
            .number()
            .nullable()
            .describe(
              "Throughput that the balancer there measured for the prefix's load balancer, over the minute before measuredAt; null if it reported none.",
            ),
        ),
        measuredShare: volatile(
          z
            .number()
            .nullable()
            .describe(
              "Its share of the measured throughput of all these next hops, 0 to 1; null if none was measured, or it was 0.",
            ),
        ),
        measuredAt: volatile(z.date().nullable()),
        since: z.date(),
      }),
    ),
  })
  .meta({ id: "Route" });
export type Route = z.infer<typeof route>;

/** A page of routes, and the routers that have more routes than they report. */
export const routePage = pageOf(route).extend({
  leftOut: z
    .array(
      z.object({
        agentId: idOf("agent"),
        nodeId: idOf("node"),
        nodeName: z.string(),
        kept: z.int().describe("Number of routes that its agent reports, and that are listed."),
        known: z.int().describe("Number of routes in its kernel."),
      }),
    )
    .describe("Routers with more routes than they report. Query the others with GET /routing-table and kernel=true."),
});
export type RoutePage = z.infer<typeof routePage>;
export type RoutesLeftOut = RoutePage["leftOut"][number];

export const listRoutes = listInput(
  ["prefix", "nodeName", "since"],
  { ...ofCluster, ...prefixFilters, isStale },
  { sort: "prefix", direction: "asc" },
);
export type ListRoutes = z.infer<typeof listRoutes>;
