import { type Db, inTransaction, type Tx } from "@fairlead/db";
import { describeAge } from "@fairlead/domain";
import { type FeedEntry, toEvent } from "@fairlead/domain/event";
import { agentName } from "@fairlead/domain/node";
import { appendFeed, markPlacedOn, pingDatabase, recordDampedEvents } from "@fairlead/services";
import { graceMs, type Presence, trackPresence } from "../presence.ts";
import { markSilentAgents, type SilentAgent } from "./silent-agents.sql.ts";

/**
 * silentAgentsSweep records one event for each agent that fell silent. The report that ends a silence records its end.
 * Our presence is measured by these sweeps.
 */
export function silentAgentsSweep(
  db: Db,
  now: () => Date,
  presence: Presence = trackPresence(),
): () => Promise<number> {
  return async () => {
    const at = now();
    const recorded =
      presence.lastsMs(at) < graceMs
        ? await pingDatabase(db).then(() => 0)
        : await inTransaction(db, (tx) => recordSilent(tx, at));
    // Only after success: a failed sweep is part of an absence.
    presence.lookedAt(at);
    return recorded;
  };
}

async function recordSilent(tx: Tx, now: Date): Promise<number> {
  const silent = await markSilentAgents(tx);
  if (silent.length === 0) return 0;
  await markPlacedOn(
    tx,
    silent.map((each) => each.agentId),
    { patient: true },
  );
  await recordDampedEvents(
    tx,
    silent.map((agent) => toEvent(eventOf(agent, now))),
  );
  for (const [organizationId, agents] of Map.groupBy(silent, (each) => each.organizationId))
    await appendFeed(tx, organizationId, agents.flatMap(feedOf));
  return silent.length;
}

function eventOf({ nodeId, nodeName, roles, organizationId, clusterId, silentForMs }: SilentAgent, now: Date) {
  const source = agentName(nodeName, roles);
  return {
    source,
    organizationId,
    clusterId,
    at: now,
    reason: "AgentSilent" as const,
    message: `${source} has not reported for ${describeAge(silentForMs)}; the data shown is that old. If it still runs, it keeps its last configuration.`,
    subjectKind: "node" as const,
    subjectId: nodeId,
    subjectName: nodeName,
  };
}

function feedOf({ agentId, nodeId, clusterId }: SilentAgent): FeedEntry[] {
  return [
    { subjectKind: "node", subjectId: nodeId, clusterId },
    { subjectKind: "agent", subjectId: agentId, clusterId },
  ];
}
