import type { Page } from "@fairlead/domain";
import type { BgpSession, ListBgpSessions } from "@fairlead/domain/routing";
import type { ServiceContext } from "../context.ts";
import { contains, equals, isOneOf, isTrue } from "../control/filter.sql.ts";
import { listWithin } from "../control/list-within.ts";
import { explainDown } from "./explain-down.sql.ts";
import { type BgpSessionRow, bgpSessionSource } from "./rows.ts";

const sorts = {
  nodeName: { cast: "text" },
  peerAddress: { cast: "address" },
  state: { cast: "text" },
  stateSince: { cast: "timestamptz", nullable: true },
} as const;

/** listBgpSessions returns what agents see of their peers, from our end of each adjacency. */
export async function listBgpSessions(ctx: ServiceContext, input: ListBgpSessions): Promise<Page<BgpSession>> {
  const page = await listWithin<BgpSessionRow>(ctx, "cluster:read", input, {
    ...bgpSessionSource,
    sort: sorts[input.sort],
    where: [
      equals("clusterId", input.clusterId),
      equals("nodeId", input.nodeId),
      isOneOf("state", input.state),
      isTrue('"isStale"', input.isStale),
      isTrue("state = 'established'", input.isEstablished),
      contains(["nodeName", "peerAddress", "peerName"], input.search),
    ],
  });
  return { ...page, items: await explainDown(ctx, page.items) };
}
