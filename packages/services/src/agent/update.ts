import { inTransaction, type Tx } from "@fairlead/db";
import { invalid } from "@fairlead/domain";
import type { Agent, UpdateAgent } from "@fairlead/domain/node";
import { authorize, type ServiceContext } from "../context.ts";
import { loadOne } from "../control/load-one.ts";
import { lockRow } from "../control/lock-row.sql.ts";
import { markDirty } from "../control/mark-dirty.sql.ts";
import { recordChange } from "../control/record-change.ts";
import { markPlacedOn } from "../gateway/config/mark-placed.ts";
import { notifyAgents } from "../gateway/config/notify-agents.sql.ts";
import { loadNode } from "../node/get.ts";
import { agentSource } from "./rows.ts";

/**
 * updateAgent changes the roles that an agent may run as. A role that it runs as and no longer may is withdrawn at once:
 * its next config has nothing for it.
 */
export async function updateAgent(ctx: ServiceContext, id: string, { allowedRoles }: UpdateAgent): Promise<Agent> {
  authorize(ctx, "agent:write");
  const load = (tx: Tx) => loadOne<Agent>(tx, "agent", agentSource, ctx.organizationId, id);
  return inTransaction(ctx.db, async (tx) => {
    // Gateways lock the node first, too, when an agent returns with other roles.
    const { nodeId } = await load(tx);
    await lockRow(tx, "node", ctx.organizationId, nodeId);
    await lockRow(tx, "agent", ctx.organizationId, id);
    const before = await load(tx);
    if ([...allowedRoles].sort().join() === [...before.allowedRoles].sort().join()) return before;
    const kept = before.roles.filter((each) => (allowedRoles as string[]).includes(each));
    if (kept.length === 0)
      throw invalid(
        ["allowedRoles"],
        `The agent runs as ${before.roles.join(", ")}. Allow at least one of these roles, or revoke the agent.`,
      );
    const node = await loadNode(ctx, tx, nodeId);
    await tx.agent.update({ where: { id }, data: { allowedRoles: [...allowedRoles].sort(), roles: kept } });
    if (kept.length < before.roles.length) await markPlacedOn(tx, [id]);
    await markDirty(tx, "node", nodeId);
    await notifyAgents(tx, [id]);
    const after = await load(tx);
    await recordChange(tx, ctx, {
      action: "agent.update",
      subjectKind: "agent",
      subjectId: id,
      subjectName: node.name,
      clusterId: node.clusterId,
      before: { allowedRoles: before.allowedRoles, roles: before.roles },
      after: { allowedRoles: after.allowedRoles, roles: after.roles },
    });
    return after;
  });
}
