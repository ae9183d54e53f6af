import type { Tx } from "@fairlead/db";
import type { ExperimentReplica } from "@fairlead/domain/experiment";
import { selectDrainingNodes } from "./participants.sql.ts";

/** findTrouble returns why the replica count is no longer the experiment's alone, as a sentence; null while it is. */
export async function findTrouble(
  tx: Tx,
  { clusterId, replicas }: { clusterId: string; replicas: readonly ExperimentReplica[] },
): Promise<string | null> {
  const [cluster] = await tx.$queryRaw<{ name: string; speaks: boolean }[]>`
    SELECT name, routing IS NOT NULL AS speaks FROM cluster WHERE id = ${clusterId}`;
  if (!cluster?.speaks) return `${cluster?.name ?? "The cluster"} no longer announces anything by BGP.`;
  const [draining] = await selectDrainingNodes(tx, clusterId);
  if (draining) return `${draining} is drained by a user.`;
  const rows = await tx.$queryRaw<{ id: string; state: string }[]>`
    SELECT id, state FROM agent_view WHERE id = ANY(${replicas.map((each) => each.agentId)}::text[])`;
  const states = new Map(rows.map((each) => [each.id, each.state]));
  for (const { agentId, nodeName } of replicas) {
    const state = states.get(agentId);
    if (state === "silent" || state === "never-seen") return `The speaker of ${nodeName} is silent.`;
    if (state === undefined || state === "revoked") return `The speaker of ${nodeName} is gone.`;
  }
  return null;
}
