import { z } from "zod";
import { ipAddress, shortPrefix } from "../address/address.ts";
import { idOf } from "../id.ts";
import { moment } from "../moment.ts";
import { listInput, manyOf } from "../page.ts";
import { announcementStates, bgpSessionStates, bgpTransitionKinds } from "./bgp-states.ts";

const state = z.enum([...bgpSessionStates, ...announcementStates]);

/** A session that came up, went down or failed to come up, or an announcement that changed its state at routers. */
export const bgpTransition = z
  .object({
    id: idOf("bgpTransition"),
    clusterId: idOf("cluster"),
    clusterName: z.string(),
    agentId: idOf("agent").describe("The agent that reported it."),
    nodeId: idOf("node").nullable().describe("null if the agent is deleted."),
    nodeName: z.string(),
    kind: z.enum(bgpTransitionKinds),
    peerAddress: z.string().nullable().describe("The address of a session's peer."),
    peerName: z.string().describe("The peer's name in the cluster's routing or of its node; empty if unknown."),
    peerAsn: z.number().nullable().describe("The AS number of a session's peer."),
    prefix: z.string().nullable().describe("The prefix of an announcement."),
    nextHop: z.string().nullable().describe("The next hop of an announcement."),
    loadBalancerId: idOf("loadBalancer").nullable().describe("null if unknown, and without the permission map:read."),
    loadBalancerName: z.string().nullable().describe("null if unknown, and without the permission map:read."),
    from: state.nullable().describe("The previous state; null if there was none."),
    to: state,
    at: z.date().describe("When it happened, by the clock of the agent's host."),
    reason: z.string().describe("Why it isn't established or offered; empty if it is."),
  })
  .meta({ id: "BgpTransition" });
export type BgpTransition = z.infer<typeof bgpTransition>;

export const listBgpTransitions = listInput(
  ["at"],
  {
    clusterId: idOf("cluster").optional(),
    agentId: idOf("agent").optional(),
    nodeId: idOf("node").optional(),
    sessionId: idOf("bgpSession").optional().describe("Only transitions of this session."),
    announcementId: idOf("announcement").optional().describe("Only transitions of this announcement."),
    kind: manyOf(z.enum(bgpTransitionKinds)),
    peer: ipAddress.optional().describe("The address of a session's peer."),
    prefix: shortPrefix.optional().describe("The prefix of announcements."),
    covers: ipAddress.optional().describe("An address in the prefix of announcements."),
    from: moment.optional(),
    to: moment.optional(),
  },
  { sort: "at", direction: "desc" },
);
export type ListBgpTransitions = z.infer<typeof listBgpTransitions>;
