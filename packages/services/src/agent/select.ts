import { Prisma, selectPage, type Tx } from "@fairlead/db";
import type { Agent } from "@fairlead/domain/node";
import { agentSource } from "./rows.ts";

/** selectAgents reads the agents of one node, the newest first; of more than two hundred it returns the newest. */
export async function selectAgents(tx: Tx, organizationId: string, of: { nodeId: string }): Promise<Agent[]> {
  const page = await selectPage<Agent>(tx, {
    ...agentSource,
    sort: { column: "enrolledAt", cast: "timestamptz" },
    direction: "desc",
    where: [Prisma.sql`"organizationId" = ${organizationId}`, Prisma.sql`"nodeId" = ${of.nodeId}`],
    page: { limit: 200 },
  });
  return page.items;
}
