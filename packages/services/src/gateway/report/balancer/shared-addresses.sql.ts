import type { Tx } from "@fairlead/db";
import type { ReportedReason } from "@fairlead/domain/event";
import { bgpRoles } from "@fairlead/domain/node";
import type { News } from "../record-observations.ts";
import type { ReportedEvent } from "./balancer-report.ts";

type Shared = { agentId: string; address: string; nodeNames: string[] };

/**
 * selectShared finds agents that are new, or just changed, and have an address that another host of their cluster
 * reports in the same role. Routers see one next hop, and only one of the two gets the traffic.
 */
export async function selectShared(
  tx: Tx,
  news: readonly News[],
  now: Date,
): Promise<{ agent: News["agent"]; event: ReportedEvent }[]> {
  const candidates = news.filter(
    ({ report, came, changed }) => report.bgp?.address && (came || changed || report.events.length > 0),
  );
  if (candidates.length === 0) return [];
  const rows = await tx.$queryRaw<Shared[]>`
    SELECT mine.agent_id AS "agentId", mine.address, array_agg(DISTINCT n.name ORDER BY n.name) AS "nodeNames"
    FROM bgp_status mine JOIN agent me ON me.id = mine.agent_id JOIN node my ON my.id = me.node_id
    JOIN bgp_status theirs ON theirs.address = mine.address
    JOIN agent_view a ON a.id = theirs.agent_id AND a.state IN ('in-sync', 'out-of-sync')
      AND a.roles && me.roles AND a.roles && ${[...bgpRoles]}::text[]
    JOIN node n ON n.id = a."nodeId" AND n.cluster_id = my.cluster_id AND n.id <> my.id
    WHERE mine.agent_id = ANY(${candidates.map(({ agent }) => agent.agentId)}::text[]) AND mine.address <> ''
    GROUP BY mine.agent_id, mine.address`;
  const shared = new Map(rows.map((each) => [each.agentId, each]));
  return [...new Map(candidates.map((each) => [each.agent.agentId, each.agent])).values()].flatMap((agent) => {
    const found = shared.get(agent.agentId);
    if (!found) return [];
    const message = `It has the address ${found.address}, and so has ${found.nodeNames.join(", ")}: only one of them gets what is sent there. Give each an address of its own.`;
    return [
      {
        agent,
        event: {
          at: now,
          reason: "AddressShared" satisfies ReportedReason,
          message,
          warning: true,
          loadBalancerId: "",
        },
      },
    ];
  });
}
