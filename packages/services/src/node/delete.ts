import { inTransaction } from "@fairlead/db";
import { conflict } from "@fairlead/domain";
import { selectReportingAgents } from "../agent/reporting-agents.sql.ts";
import { authorize, type ServiceContext } from "../context.ts";
import { checkGeneration } from "../control/generation.ts";
import { lockRow } from "../control/lock-row.sql.ts";
import { recordChange } from "../control/record-change.ts";
import { markPlacedOn } from "../gateway/config/mark-placed.ts";
import { notifyAgents } from "../gateway/config/notify-agents.sql.ts";
import { loadNode } from "./get.ts";

/**
 * deleteNode deletes a node whose agents no longer report. It is refused while an agent still does: that would keep
 * running unmanaged.
 */
export async function deleteNode(ctx: ServiceContext, id: string, expectedGeneration?: number): Promise<void> {
  authorize(ctx, "node:write");
  await inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, "node", ctx.organizationId, id);
    const before = await loadNode(ctx, tx, id);
    checkGeneration("node", before.generation, expectedGeneration);
    const agents = await selectReportingAgents(tx, ctx.organizationId, { nodeId: id });
    const reporting = agents.find((agent) => agent.speaks);
    if (reporting)
      throw conflict(
        `The agent ${reporting.id} of ${before.name} still reports. Stop it or revoke it, then delete the node.`,
      );
    const agentIds = agents.map((agent) => agent.id);
    await markPlacedOn(tx, agentIds);
    await tx.node.delete({ where: { id } });
    await notifyAgents(tx, agentIds);
    await recordChange(tx, ctx, {
      action: "node.delete",
      subjectKind: "node",
      subjectId: id,
      subjectName: before.name,
      clusterId: before.clusterId,
      before,
      after: null,
    });
  });
}
