import { type Db, inTransaction } from "@fairlead/db";
import { lockRow } from "../../control/lock-row.sql.ts";
import { markDirty } from "../../control/mark-dirty.sql.ts";
import { recordChange } from "../../control/record-change.ts";
import { recordEvent } from "../../control/record-event.ts";
import { markPlacedOn } from "../config/mark-placed.ts";
import { notifyAgents } from "../config/notify-agents.sql.ts";
import { supersede } from "../enroll/supersede.ts";
import type { AgentIdentity } from "./identities.sql.ts";
import { readRoles } from "./read-roles.ts";
import { checkAllowedRoles, foreignRoles, rolesRefused } from "./refuse-roles.ts";

/**
 * noteRoles records that an agent returned with other roles, so that it gets a config for those. As at enrolment there
 * is one agent for a role: it takes a role over from a silent agent, from no other. Only roles that its token allowed:
 * otherwise, anyone with control of one agent could get the BGP password of a router.
 */
export async function noteRoles(db: Db, agent: AgentIdentity, reported: readonly string[], now: Date): Promise<void> {
  const roles = readRoles(reported);
  await checkAllowedRoles(db, agent, roles, now);
  if (sameRoles(roles, agent.roles)) return;
  const { agentId, nodeId, nodeName, organizationId, clusterId } = agent;
  await inTransaction(db, async (tx) => {
    await lockRow(tx, "node", organizationId, nodeId);
    const { roles: before, allowedRoles } = await tx.agent.findUniqueOrThrow({
      where: { id: agentId },
      select: { roles: true, allowedRoles: true },
    });
    // An owner may have withdrawn a role since this agent was loaded.
    const foreign = foreignRoles({ allowedRoles }, roles);
    if (foreign.length > 0) throw rolesRefused({ nodeName, allowedRoles }, foreign);
    if (sameRoles(roles, before)) return;
    const node = { id: nodeId, name: nodeName };
    const superseded = await supersede(tx, node, { roles, agentId, now });
    await tx.agent.update({ where: { id: agentId }, data: { roles } });
    await markPlacedOn(tx, [agentId]);
    await markDirty(tx, "node", nodeId);
    await notifyAgents(tx, [agentId]);
    const instead = superseded.length > 0 ? " An earlier agent with such a role was silent, and is revoked." : "";
    await recordEvent(tx, organizationId, {
      at: now,
      reason: "AgentRolesChanged",
      message: `The agent of ${nodeName} now runs as ${roles.join(", ")}; it ran as ${before.join(", ")}.${instead}`,
      subjectKind: "node",
      subjectId: nodeId,
      subjectName: nodeName,
      clusterId,
    });
    const actor = { kind: "agent", id: agentId, name: `the agent of ${nodeName}` } as const;
    await recordChange(
      tx,
      { actor, organizationId, now },
      {
        action: "agent.change-roles",
        subjectKind: "agent",
        subjectId: agentId,
        subjectName: nodeName,
        clusterId,
        before: { roles: before },
        after: { roles, superseded },
      },
    );
  });
}

function sameRoles(a: readonly string[], b: readonly string[]): boolean {
  return [...a].sort().join() === [...b].sort().join();
}
