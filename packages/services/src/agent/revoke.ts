import { inTransaction } from "@fairlead/db";
import type { Agent } from "@fairlead/domain/node";
import { authorize, type ServiceContext } from "../context.ts";
import { loadOne } from "../control/load-one.ts";
import { lockRow } from "../control/lock-row.sql.ts";
import { markDirty } from "../control/mark-dirty.sql.ts";
import { recordChange } from "../control/record-change.ts";
import { recordEvent } from "../control/record-event.ts";
import { markPlacedOn } from "../gateway/config/mark-placed.ts";
import { notifyAgents } from "../gateway/config/notify-agents.sql.ts";
import { loadNode } from "../node/get.ts";
import { agentSource } from "./rows.ts";

/**
 * revokeAgent ends an agent's access permanently: the gateways close its streams at once and refuse its certificate
 * from then on. Its last config keeps serving. Revoking it again changes nothing.
 */
export async function revokeAgent(ctx: ServiceContext, id: string): Promise<Agent> {
  authorize(ctx, "node:write");
  const load = (tx: Parameters<typeof lockRow>[0]) => loadOne<Agent>(tx, "agent", agentSource, ctx.organizationId, id);
  return inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, "agent", ctx.organizationId, id);
    const before = await load(tx);
    if (before.revokedAt) return before;
    await tx.agent.update({ where: { id }, data: { revokedAt: ctx.now } });
    const node = await loadNode(ctx, tx, before.nodeId);
    await markPlacedOn(tx, [id], { urgent: true });
    await markDirty(tx, "node", node.id, { urgent: true });
    await notifyAgents(tx, [id]);
    await recordEvent(tx, ctx.organizationId, {
      at: ctx.now,
      reason: "AgentRevoked",
      message: `${ctx.actor.name} revoked an agent of ${node.name}; it may no longer report or fetch its configuration.`,
      subjectKind: "node",
      subjectId: node.id,
      subjectName: node.name,
      clusterId: node.clusterId,
    });
    const after = await load(tx);
    await recordChange(tx, ctx, {
      action: "agent.revoke",
      subjectKind: "agent",
      subjectId: id,
      subjectName: node.name,
      clusterId: node.clusterId,
      before: { revokedAt: before.revokedAt },
      after: { revokedAt: after.revokedAt },
    });
    return after;
  });
}
