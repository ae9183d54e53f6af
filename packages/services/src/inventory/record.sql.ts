import type { Tx } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import type { SeenItem } from "@fairlead/domain/cluster";

export type ItemKey = Pick<SeenItem, "kind" | "namespace" | "name">;

/** selectItems returns what is stored of a cluster. */
export function selectItems(tx: Tx, clusterId: string): Promise<SeenItem[]> {
  return tx.$queryRaw<SeenItem[]>`
    SELECT kind, namespace, name, desired, ready, addresses FROM inventory_item WHERE cluster_id = ${clusterId}`;
}

/** recordItems writes what was seen in a cluster. Stored items that did not change stay untouched. */
export async function recordItems(
  tx: Tx,
  cluster: { id: string; organizationId: string },
  items: readonly SeenItem[],
  now: Date,
): Promise<void> {
  if (items.length === 0) return;
  const of = <T>(pick: (item: SeenItem) => T) => items.map(pick);
  // A cluster that was detached meanwhile no longer has an inventory.
  await tx.$executeRaw`
    INSERT INTO inventory_item (organization_id, cluster_id, changed_at, id, kind, namespace, name, desired, ready, addresses)
    SELECT ${cluster.organizationId}, k.cluster_id, ${now}::timestamptz, id, kind, namespace, name, desired, ready,
      coalesce(string_to_array(nullif(addresses, ''), ' '), '{}')
    FROM kubernetes_access k, unnest(
      ${of(() => newId("inventoryItem", now))}::text[], ${of((i) => i.kind)}::text[], ${of((i) => i.namespace)}::text[],
      ${of((i) => i.name)}::text[], ${of((i) => i.desired)}::int[], ${of((i) => i.ready)}::int[],
      ${of((i) => i.addresses.join(" "))}::text[]) AS i (id, kind, namespace, name, desired, ready, addresses)
    WHERE k.cluster_id = ${cluster.id} ORDER BY kind, namespace, name
    ON CONFLICT (cluster_id, kind, namespace, name) DO UPDATE SET desired = excluded.desired, ready = excluded.ready,
      addresses = excluded.addresses, changed_at = excluded.changed_at
    WHERE (inventory_item.desired, inventory_item.ready, inventory_item.addresses)
      IS DISTINCT FROM (excluded.desired, excluded.ready, excluded.addresses)`;
}

/** forgetItems deletes what is no longer in a cluster. */
export async function forgetItems(tx: Tx, clusterId: string, gone: readonly ItemKey[]): Promise<void> {
  if (gone.length === 0) return;
  await tx.$executeRaw`
    DELETE FROM inventory_item i USING unnest(${gone.map((each) => each.kind)}::text[],
      ${gone.map((each) => each.namespace)}::text[], ${gone.map((each) => each.name)}::text[]) AS g (kind, namespace, name)
    WHERE i.cluster_id = ${clusterId} AND i.kind = g.kind AND i.namespace = g.namespace AND i.name = g.name`;
}
