import { type Db, inTransaction } from "@fairlead/db";
import { markDirty } from "../control/mark-dirty.sql.ts";
import { recordEvent } from "../control/record-event.ts";
import { readRoles } from "./enroll.ts";
import type { AgentIdentity } from "./identities.sql.ts";
import { notifyAgents } from "./notify-agents.sql.ts";

/** noteRoles records that an agent came back with other roles than it had, so that it gets a config for those. */
export async function noteRoles(db: Db, agent: AgentIdentity, reported: readonly string[], now: Date): Promise<void> {
  const roles = readRoles(reported);
  if (roles.join() === [...agent.roles].sort().join()) return;
  await inTransaction(db, async (tx) => {
    await tx.agent.update({ where: { id: agent.agentId }, data: { roles } });
    await markDirty(tx, "node", agent.nodeId);
    await notifyAgents(tx, [agent.agentId]);
    await recordEvent(tx, agent.organizationId, {
      at: now,
      severity: "info",
      reason: "AgentRolesChanged",
      message: `The agent of ${agent.nodeName} now runs as ${roles.join(", ")}; it ran as ${agent.roles.join(", ")}.`,
      subjectKind: "node",
      subjectId: agent.nodeId,
      subjectName: agent.nodeName,
      clusterId: agent.clusterId,
    });
  });
}
