import type { Tx } from "@fairlead/db";
import { conflict } from "@fairlead/domain";
import { markPlacedOn } from "../config/mark-placed.ts";
import { notifyAgents } from "../config/notify-agents.sql.ts";
import { selectOtherAgents } from "./enroll.sql.ts";

// A node may have one agent of these per balancer pod, because pods have their own networks: none undoes another's
// work.
const sharedRoles: ReadonlySet<string> = new Set(["balancer", "speaker"]);

/** agentId is set for an existing agent that changes its roles. */
type NewAgent = { roles: string[]; agentId?: string; mayReplace?: boolean; now: Date };

/**
 * supersede revokes the agents that hold the same role on the same node. Two of them would keep correcting each other's
 * changes to one host, so there is one. A machine that happens to have a busy node's name must not replace its agent,
 * though: replacing an agent that still reports requires a token for that very node. The caller has locked the node's
 * row, so that of two new agents the second sees the first.
 */
export async function supersede(
  tx: Tx,
  node: { id: string; name: string },
  { roles, agentId, mayReplace, now }: NewAgent,
): Promise<string[]> {
  const own = roles.filter((role) => !sharedRoles.has(role));
  const others = (await selectOtherAgents(tx, node.id, own)).filter((each) => each.id !== agentId);
  if (others.some((each) => each.speaks) && agentId)
    throw conflict(
      `The node ${node.name} has another agent with such a role that reports right now; revoke that one first.`,
      ["info", "roles"],
    );
  if (others.some((each) => each.speaks) && !mayReplace)
    throw conflict(
      `The node ${node.name} has an agent that reports right now. Give this machine another name with --node-name, or create a token for the node ${node.name} to replace that agent.`,
      ["nodeName"],
    );
  const ids = others.map((each) => each.id);
  if (ids.length === 0) return ids;
  await tx.agent.updateMany({ where: { id: { in: ids } }, data: { revokedAt: now } });
  await markPlacedOn(tx, ids);
  await notifyAgents(tx, ids);
  return ids;
}
