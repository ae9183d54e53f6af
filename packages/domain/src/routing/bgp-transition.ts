import { z } from "zod";
import { ipAddress, shortPrefix } from "../address/address.ts";
import { idOf } from "../id.ts";
import { moment } from "../moment.ts";
import { listInput, manyOf } from "../page.ts";
import { announcementStands, bgpSessionStates, bgpTransitionKinds } from "./bgp-states.ts";

const state = z.enum([...bgpSessionStates, ...announcementStands]);

/** A session that came up, went down or failed to come up, or an announcement that stands otherwise with routers. */
export const bgpTransition = z
  .object({
    id: idOf("bgpTransition"),
    clusterId: idOf("cluster"),
    clusterName: z.string(),
    agentId: idOf("agent").describe("Who told of it."),
    nodeId: idOf("node").nullable().describe("null when the agent is deleted."),
    nodeName: z.string(),
    kind: z.enum(bgpTransitionKinds),
    peerAddress: z.string().nullable().describe("Of a session."),
    peerName: z.string().describe("As the cluster's routing or a node calls it; empty when nothing does."),
    peerAsn: z.number().nullable().describe("Of a session."),
    prefix: z.string().nullable().describe("Of an announcement."),
    nextHop: z.string().nullable().describe("Of an announcement."),
    loadBalancerId: idOf("loadBalancer").nullable(),
    loadBalancerName: z.string().nullable(),
    from: state.nullable().describe("null when there was nothing before."),
    to: state,
    at: z.date().describe("By the clock of the agent's host."),
    reason: z.string().describe("Why it isn't better; empty when it couldn't be."),
  })
  .meta({ id: "BgpTransition" });
export type BgpTransition = z.infer<typeof bgpTransition>;

export const listBgpTransitions = listInput(
  ["at"],
  {
    clusterId: idOf("cluster").optional(),
    agentId: idOf("agent").optional(),
    nodeId: idOf("node").optional(),
    sessionId: idOf("bgpSession").optional().describe("What this session went through."),
    announcementId: idOf("announcement").optional().describe("What this announcement went through."),
    kind: manyOf(z.enum(bgpTransitionKinds)),
    peer: ipAddress.optional().describe("The address of a session's peer."),
    prefix: shortPrefix.optional().describe("Of announcements."),
    covers: ipAddress.optional().describe("An address that an announcement's prefix holds."),
    from: moment.optional(),
    to: moment.optional(),
  },
  { sort: "at", direction: "desc" },
);
export type ListBgpTransitions = z.infer<typeof listBgpTransitions>;
