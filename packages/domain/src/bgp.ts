import { z } from "zod";
import { ipAddress } from "./address.ts";
import { idOf } from "./id.ts";
import { listInput, manyOf } from "./page.ts";
import { announcementStands, bgpSessionStates } from "./words.ts";

/** Who saw it, and how old that is. */
const seen = {
  clusterId: idOf("cluster"),
  clusterName: z.string(),
  nodeId: idOf("node"),
  nodeName: z.string(),
  role: z.string().describe("Of the agent that saw it."),
  observedAt: z.date(),
  reportIntervalMs: z.int(),
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
    holdSeconds: z.int().describe("Agreed with the peer; 0 while it is down."),
    routesReceived: z.number().describe("That the peer offers."),
    routesAccepted: z.number().describe("Of them, by the filter."),
    routesGiven: z.number(),
    ups: z.number().describe("How often it came up."),
    detection: z.string().describe("Of BFD: up, down or init; empty without it."),
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

const covering = { covers: ipAddress.optional().describe("An address that the prefix holds.") };

export const listAnnouncements = listInput(
  ["prefix", "nodeName", "stand", "standSince"],
  {
    ...ofCluster,
    ...covering,
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
        weight: z.int(),
        since: z.date(),
      }),
    ),
  })
  .meta({ id: "Route" });
export type Route = z.infer<typeof route>;

export const listRoutes = listInput(
  ["prefix", "nodeName", "since"],
  { ...ofCluster, ...covering },
  { sort: "prefix", direction: "asc" },
);
export type ListRoutes = z.infer<typeof listRoutes>;
