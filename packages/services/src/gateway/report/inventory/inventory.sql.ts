import { Prisma, type Tx } from "@fairlead/db";
import { canonicalJson } from "@fairlead/domain";
import type { ReportedInstance } from "@fairlead/domain/instance";
import { withoutMask } from "../../../exposure/without-mask.ts";
import { selectExposing } from "../../../instance/select-exposing.sql.ts";
import { writeInstances } from "../../../instance/write-instances.sql.ts";
import type { AgentIdentity } from "../../identity/identities.sql.ts";

export type Inventory = { agent: AgentIdentity; instances: readonly ReportedInstance[] };

/** InventoryChange is what to write of an inventory, and which exposures select something of that. */
export type InventoryChange = {
  agent: AgentIdentity;
  changed: ReportedInstance[];
  gone: string[];
  exposureIds: string[];
};

/** Reported by an agent that is gone. What was observed of an attached Kubernetes cluster has that cluster as its source. */
const orphaned = Prisma.sql`(instance.source <> instance.cluster_id
  AND NOT EXISTS (SELECT 1 FROM agent a WHERE a.id = instance.source AND a.revoked_at IS NULL))`;

/**
 * planInventory compares an inventory with what is stored. It replaces what the same agent reported before, and what
 * agents reported that no longer exist; a name that another agent has too is taken over.
 */
export async function planInventory(tx: Tx, { agent, instances }: Inventory): Promise<InventoryChange> {
  const names = instances.map((each) => each.name);
  const stored = await tx.$queryRaw<(ReportedInstance & { source: string })[]>`
    SELECT name, workload, node_name AS "nodeName", addresses::text[] AS addresses, ready, labels, weight, source FROM instance
    WHERE cluster_id = ${agent.clusterId} AND (name = ANY(${names}::text[]) OR source = ${agent.agentId}
      OR ${orphaned})`;
  const before = new Map(stored.map((each) => [each.name, each]));
  const there = new Set(names);
  const changed = instances.filter((each) => {
    const old = before.get(each.name);
    return !old || old.source !== agent.agentId || spell(old) !== spell(each);
  });
  const gone = stored.filter((each) => !there.has(each.name));
  const touched = [...changed, ...changed.flatMap((each) => before.get(each.name) ?? []), ...gone];
  const exposureIds = await selectExposing(tx, agent.clusterId, touched);
  return { agent, changed, gone: gone.map((each) => each.name), exposureIds };
}

function spell({ workload, nodeName, addresses, ready, labels, weight }: ReportedInstance): string {
  return canonicalJson({ workload, nodeName, addresses: addresses.map(withoutMask), ready, labels, weight });
}

/** writeInventory deletes no instance that another agent has taken over since the inventory was planned. */
export async function writeInventory(tx: Tx, { agent, changed, gone }: InventoryChange, now: Date): Promise<void> {
  if (gone.length > 0)
    await tx.$executeRaw`
      DELETE FROM instance WHERE cluster_id = ${agent.clusterId} AND name = ANY(${gone}::text[])
        AND (source = ${agent.agentId} OR ${orphaned})`;
  const { agentId: source, clusterId, organizationId } = agent;
  await writeInstances(tx, { organizationId, clusterId, source, instances: changed }, now);
}
