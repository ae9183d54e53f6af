import { Prisma } from "@fairlead/db";
import { mostCounted, type Page } from "@fairlead/domain";
import type { BgpTransition, ListBgpTransitions } from "@fairlead/domain/routing";
import { unlessMap, withoutBalancer } from "../address-map/may-read.ts";
import type { ServiceContext } from "../context.ts";
import { contains, equals, isOneOf, within } from "../control/filter.sql.ts";
import { listWithin } from "../control/list-within.ts";
import { bgpTransitionSource } from "./rows.ts";

/** listBgpTransitions returns the state changes of sessions and announcements, with their reasons. */
export async function listBgpTransitions(ctx: ServiceContext, input: ListBgpTransitions): Promise<Page<BgpTransition>> {
  const page = await listWithin<BgpTransition>(ctx, "cluster:read", input, {
    ...bgpTransitionSource,
    sort: { cast: "timestamptz" },
    where: [
      equals("clusterId", input.clusterId),
      equals("agentId", input.agentId),
      equals("nodeId", input.nodeId),
      isOneOf("kind", input.kind),
      ofSession(input.sessionId),
      ofAnnouncement(input.announcementId),
      about("session", "=", input.peer),
      about("announcement", "=", input.prefix),
      about("announcement", ">>=", input.covers),
      contains(["nodeName", "reason"], input.search),
      within("at", input.from, input.to),
    ],
    countAtMost: mostCounted,
  });
  return { ...page, items: page.items.map(unlessMap<BgpTransition>(ctx, withoutBalancer)) };
}

function about(kind: BgpTransition["kind"], is: "=" | ">>=", what: string | undefined): Prisma.Sql {
  return what === undefined ? Prisma.sql`true` : Prisma.sql`kind = ${kind} AND about ${Prisma.raw(is)} ${what}::inet`;
}

function ofSession(id: string | undefined): Prisma.Sql {
  if (id === undefined) return Prisma.sql`true`;
  return Prisma.sql`kind = 'session' AND ("agentId", about) = (SELECT agent_id, peer_address FROM bgp_session WHERE id = ${id})`;
}

function ofAnnouncement(id: string | undefined): Prisma.Sql {
  if (id === undefined) return Prisma.sql`true`;
  return Prisma.sql`kind = 'announcement' AND ("agentId", about) = (SELECT agent_id, prefix FROM announcement WHERE id = ${id})`;
}
