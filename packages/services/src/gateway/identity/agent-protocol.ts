import { type Db, inTransaction } from "@fairlead/db";
import { markDirty } from "../../control/mark-dirty.sql.ts";
import { markPlacedOn } from "../config/mark-placed.ts";
import { notifyAgents } from "../config/notify-agents.sql.ts";
import type { AgentIdentity } from "./identities.sql.ts";

const newestStored = 1_000_000;

/** storableProtocol returns what its column can hold. An agent that reports none is of the first version. */
export function storableProtocol(version: number): number {
  return Number.isInteger(version) ? Math.min(Math.max(version, 1), newestStored) : 1;
}

/** noteProtocol records that an agent returned with another version of the protocol, so that it gets a config for that one. */
export async function noteProtocol(db: Db, agent: AgentIdentity, reported: number): Promise<void> {
  const protocolVersion = storableProtocol(reported);
  if (protocolVersion === agent.protocolVersion) return;
  const { agentId, nodeId } = agent;
  await inTransaction(db, async (tx) => {
    await markPlacedOn(tx, [agentId]);
    await markDirty(tx, "node", nodeId);
    await tx.agent.updateMany({ where: { id: agentId }, data: { protocolVersion } });
    await notifyAgents(tx, [agentId]);
  });
}
