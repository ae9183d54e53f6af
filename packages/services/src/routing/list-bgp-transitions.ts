import { Prisma, selectPage } from "@fairlead/db";
import { type BgpTransition, type ListBgpTransitions, mostCounted, type Page } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../context.ts";
import { contains, equals, isOneOf, within } from "../control/filter.sql.ts";

const columns = [
  "id",
  "clusterId",
  "clusterName",
  "agentId",
  "nodeId",
  "nodeName",
  "kind",
  "peerAddress",
  "peerName",
  "peerAsn",
  "prefix",
  "nextHop",
  "loadBalancerId",
  "loadBalancerName",
  "from",
  "to",
  "at",
  "reason",
] as const satisfies readonly (keyof BgpTransition)[];

/** listBgpTransitions answers what sessions and announcements went through, each time and why. */
export async function listBgpTransitions(ctx: ServiceContext, input: ListBgpTransitions): Promise<Page<BgpTransition>> {
  authorize(ctx, "cluster:read");
  return selectPage<BgpTransition>(ctx.db, {
    from: "bgp_transition_view",
    columns,
    sort: { column: input.sort, cast: "timestamptz" },
    direction: input.direction,
    where: [
      Prisma.sql`"organizationId" = ${ctx.organizationId}`,
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
    page: input,
    countAtMost: mostCounted,
  });
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
