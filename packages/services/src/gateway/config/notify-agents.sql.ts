import type { Tx } from "@fairlead/db";

/** Carries the id of an agent whose config or access changed, or "*" for many. A hint: gateways also poll. */
export const agentChannel = "fairlead_agent";
export const manyAgents = "*";

// One notification per agent pays off for few; for more, gateways check all of their agents at once.
const fewAgents = 64;

/**
 * notifyAgents wakes the gateways that hold streams of these agents. Call it in the transaction that writes
 * node_config or that revokes an agent: it takes effect when that commits.
 */
export async function notifyAgents(tx: Tx, agentIds: readonly string[]): Promise<void> {
  if (agentIds.length === 0) return;
  const payloads = agentIds.length > fewAgents ? [manyAgents] : [...new Set(agentIds)];
  await tx.$executeRaw`SELECT pg_notify(${agentChannel}, payload) FROM unnest(${payloads}::text[]) AS payload`;
}
