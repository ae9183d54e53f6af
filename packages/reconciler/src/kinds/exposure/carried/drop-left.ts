import type { Tx } from "@fairlead/db";
import type { DesiredExposure } from "@fairlead/domain/exposure";
import { markManyDirty } from "@fairlead/services";
import { dropGoneBalancers } from "../instance-balancers.ts";
import { selectCarriers, selectConfiguredNodes } from "./carriers.sql.ts";
import { markLacking } from "./holders.sql.ts";
import { markSpanned, selectSpannedClusters } from "./spanned-clusters.sql.ts";

/**
 * dropLeft deletes the balancers of removed instances once they have drained and no agent carries them: before that
 * their addresses must not be reused. It returns how many are left.
 */
export async function dropLeft(tx: Tx, desired: DesiredExposure, presentForMs: number, now: Date): Promise<number> {
  const leaving = desired.loadBalancers.filter((each) => each.deletedAt);
  if (leaving.length === 0) return 0;
  const ids = leaving.map((each) => each.id);
  const carriers = await selectCarriers(tx, desired, ids, presentForMs);
  const draining = await tx.backend.findMany({
    where: { loadBalancerId: { in: ids } },
    distinct: ["loadBalancerId"],
    select: { loadBalancerId: true },
  });
  const there = new Set([
    ...carriers.flatMap((each) => each.loadBalancerIds),
    ...draining.map((each) => each.loadBalancerId),
  ]);
  // Also for agents that were given up: one that returns must find a config without them.
  const left = { ...desired, loadBalancers: leaving.filter((each) => !there.has(each.id)) };
  await markManyDirty(tx, "node", await selectConfiguredNodes(tx, left), { urgent: true });
  if (left.loadBalancers.length > 0) await markLacking(tx, desired.cluster.id);
  const spanned = left.loadBalancers.length > 0 ? await selectSpannedClusters(tx, desired.id) : [];
  const remaining = await dropGoneBalancers(tx, desired, there, now);
  // A filter that still accepted the address would let the cluster that was left announce it again.
  await markSpanned(tx, spanned);
  return remaining;
}
