import { Prisma, selectPage } from "@fairlead/db";
import type { BgpSession, ListBgpSessions, Page } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../context.ts";
import { contains, equals, isOneOf } from "../control/filter.sql.ts";
import { explainDown } from "./explain-down.sql.ts";
import { seenColumns } from "./seen-columns.ts";

const columns = [
  ...seenColumns,
  "peerAddress",
  "peerName",
  "peerAsn",
  "localAsn",
  "peerRouterId",
  "state",
  "stateSince",
  "lastError",
  "holdSeconds",
  "keepaliveSeconds",
  "messagesIn",
  "messagesOut",
  "routesReceived",
  "routesAccepted",
  "routesGiven",
  "ups",
  "detection",
  "detectIntervalMs",
  "detectMultiplier",
  "isFull",
] as const satisfies readonly (keyof Row)[];

type Row = Omit<BgpSession, "trouble">;

const sorts = {
  nodeName: { cast: "text" },
  peerAddress: { cast: "address" },
  state: { cast: "text" },
  stateSince: { cast: "timestamptz", nullable: true },
} as const;

/** listBgpSessions answers what agents see of their peers, from our end of each adjacency. */
export async function listBgpSessions(ctx: ServiceContext, input: ListBgpSessions): Promise<Page<BgpSession>> {
  authorize(ctx, "cluster:read");
  const page = await selectPage<Row>(ctx.db, {
    from: "bgp_session_view",
    columns,
    sort: { column: input.sort, ...sorts[input.sort] },
    direction: input.direction,
    where: [
      Prisma.sql`"organizationId" = ${ctx.organizationId}`,
      equals("clusterId", input.clusterId),
      equals("nodeId", input.nodeId),
      isOneOf("state", input.state),
      contains(["nodeName", "peerAddress", "peerName"], input.search),
    ],
    page: input,
  });
  return { ...page, items: await explainDown(ctx, page.items) };
}
