import type { Tx } from "@fairlead/db";
import { canonicalJson, newId } from "@fairlead/domain";
import type { ReportedInstance } from "@fairlead/domain/instance";
import { withoutMask } from "../../../exposure/without-mask.ts";
import { selectExposing } from "../../../instance/select-exposing.sql.ts";
import type { AgentIdentity } from "../../identity/identities.sql.ts";

export type Inventory = { agent: AgentIdentity; instances: readonly ReportedInstance[] };

/** InventoryChange is what to write of an inventory, and which exposures select something of that. */
export type InventoryChange = {
  agent: AgentIdentity;
  changed: ReportedInstance[];
  gone: string[];
  exposureIds: string[];
};

/**
 * planInventory compares an inventory with what is stored. It replaces what the same agent reported before, and what
 * agents reported that no longer exist; a name that another agent has too is taken over.
 */
export async function planInventory(tx: Tx, { agent, instances }: Inventory): Promise<InventoryChange> {
  const names = instances.map((each) => each.name);
  const stored = await tx.$queryRaw<(ReportedInstance & { source: string })[]>`
    SELECT name, workload, node_name AS "nodeName", addresses::text[] AS addresses, ready, labels, weight, source FROM instance
    WHERE cluster_id = ${agent.clusterId} AND (name = ANY(${names}::text[]) OR source = ${agent.agentId}
      OR NOT EXISTS (SELECT 1 FROM agent a WHERE a.id = instance.source AND a.revoked_at IS NULL))`;
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

export async function writeInventory(tx: Tx, { agent, changed, gone }: InventoryChange, now: Date): Promise<void> {
  if (gone.length > 0)
    await tx.$executeRaw`DELETE FROM instance WHERE cluster_id = ${agent.clusterId} AND name = ANY(${gone}::text[])`;
  if (changed.length === 0) return;
  const sorted = [...changed].sort((a, b) => (a.name < b.name ? -1 : 1));
  const of = <T>(pick: (instance: ReportedInstance) => T) => sorted.map(pick);
  await tx.$executeRaw`
    INSERT INTO instance (organization_id, cluster_id, source, changed_at, id, name, workload, node_name, addresses, ready, labels, weight)
    SELECT ${agent.organizationId}, ${agent.clusterId}, ${agent.agentId}, ${now}::timestamptz, id, name, workload, node_name,
      string_to_array(addresses, ' ')::inet[], ready, labels, weight FROM unnest(
      ${of(() => newId("instance", now))}::text[], ${of((i) => i.name)}::text[], ${of((i) => i.workload)}::text[],
      ${of((i) => i.nodeName)}::text[], ${of((i) => i.addresses.join(" "))}::text[], ${of((i) => i.ready)}::boolean[],
      ${of((i) => JSON.stringify(i.labels))}::jsonb[], ${of((i) => i.weight)}::int[])
      AS i (id, name, workload, node_name, addresses, ready, labels, weight)
    ON CONFLICT (cluster_id, name) DO UPDATE SET source = excluded.source, changed_at = excluded.changed_at,
      workload = excluded.workload, node_name = excluded.node_name, addresses = excluded.addresses, ready = excluded.ready,
      labels = excluded.labels, weight = excluded.weight`;
}
