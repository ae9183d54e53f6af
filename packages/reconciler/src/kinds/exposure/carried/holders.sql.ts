import type { Tx } from "@fairlead/db";
import { markManyDirty } from "@fairlead/services";

/** selectHolders returns the balancers of an exposure that hold an address of a pool. */
export async function selectHolders(tx: Tx, poolId: string, exposureId: string): Promise<ReadonlySet<string>> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT l.id FROM virtual_address v JOIN load_balancer l ON l.id = v.load_balancer_id
    WHERE v.pool_id = ${poolId} AND l.exposure_id = ${exposureId}`;
  return new Set(rows.map((each) => each.id));
}

/** selectPhases returns the previous phases of an exposure's balancers. */
export async function selectPhases<Phase extends string>(
  tx: Tx,
  exposureId: string,
): Promise<ReadonlyMap<string, Phase>> {
  const rows = await tx.$queryRaw<{ id: string; phase: Phase }[]>`
    SELECT l.id, s.phase FROM load_balancer l JOIN load_balancer_status s ON s.load_balancer_id = l.id
    WHERE l.exposure_id = ${exposureId}`;
  return new Map(rows.map((each) => [each.id, each.phase]));
}

/** markLacking marks the exposures of a cluster that wait for an address, because one was released. */
export async function markLacking(tx: Tx, clusterId: string): Promise<void> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT l.exposure_id AS id FROM load_balancer l LEFT JOIN virtual_address v ON v.load_balancer_id = l.id
    WHERE l.cluster_id = ${clusterId} AND l.kind = 'fairlead' AND l.instance IS NOT NULL AND l.deleted_at IS NULL
      AND v.id IS NULL`;
  await markManyDirty(
    tx,
    "exposure",
    rows.map((each) => each.id),
    { patient: true },
  );
}
