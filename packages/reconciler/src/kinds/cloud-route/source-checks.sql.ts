import { inTransaction, type Tx } from "@fairlead/db";
import type { CheckedAddress } from "@fairlead/drivers";
import { markManyDirty } from "@fairlead/services";
import { selectCarryingNodes } from "@fairlead/services/gateway";
import { holdLease } from "../../lease.sql.ts";
import type { ReconcileContext } from "../../reconciler.ts";

/** selectAnswering returns the addresses of servers that answer clients from a service address, by TLS session. */
export async function selectAnswering(tx: Tx, clusterId: string): Promise<{ address: string }[]> {
  return tx.$queryRaw<{ address: string }[]>`
    SELECT DISTINCT host(b.address) AS address FROM backend b JOIN load_balancer l ON l.id = b.load_balancer_id
    JOIN exposure_in_effect_view e ON e.id = l.exposure_id
    WHERE l.cluster_id = ${clusterId} AND e.strategy = 'session' AND b.protocol = 'tcp' ORDER BY 1`;
}

/** recordChecks stores which servers of a cluster can't answer clients, and has those updated that depend on it. */
export async function recordChecks(
  clusterId: string,
  checked: readonly CheckedAddress[],
  ctx: ReconcileContext,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await holdLease(tx, ctx.task);
    await writeChecks(tx, clusterId, checked, ctx.now());
  });
}

/** writeChecks replaces what is stored of a cluster. */
export async function writeChecks(
  tx: Tx,
  clusterId: string,
  checked: readonly CheckedAddress[],
  now: Date,
): Promise<void> {
  const changed = await tx.$queryRaw<{ loadBalancerId: string; exposureId: string }[]>`
    WITH own AS (
      SELECT b.id, l.id AS load_balancer_id, l.exposure_id, b.address, e.strategy FROM backend b
      JOIN load_balancer l ON l.id = b.load_balancer_id JOIN exposure_in_effect_view e ON e.id = l.exposure_id
      WHERE l.cluster_id = ${clusterId} AND b.protocol = 'tcp'
    ), wanted AS (
      SELECT own.id, seen.interface_id FROM own JOIN unnest(
        ${checked.map((each) => each.address)}::inet[], ${checked.map((each) => each.interfaceId)}::text[]
      ) AS seen (address, interface_id) ON seen.address = own.address WHERE own.strategy = 'session'
    ), gone AS (
      DELETE FROM source_check USING own WHERE backend_id = own.id AND backend_id NOT IN (SELECT id FROM wanted) RETURNING backend_id
    ), written AS (
      INSERT INTO source_check (backend_id, interface_id, observed_at) SELECT id, interface_id, ${now}::timestamptz FROM wanted
      ON CONFLICT (backend_id) DO UPDATE SET interface_id = excluded.interface_id, observed_at = excluded.observed_at
      WHERE source_check.interface_id <> excluded.interface_id RETURNING backend_id
    )
    SELECT DISTINCT own.load_balancer_id AS "loadBalancerId", own.exposure_id AS "exposureId" FROM own
    WHERE own.id IN (SELECT backend_id FROM gone UNION SELECT backend_id FROM written)`;
  if (changed.length === 0) return;
  await markManyDirty(
    tx,
    "exposure",
    changed.map((each) => each.exposureId),
  );
  const nodes = await selectCarryingNodes(
    tx,
    changed.map((each) => each.loadBalancerId),
  );
  await markManyDirty(tx, "node", nodes);
}
