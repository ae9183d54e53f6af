import type { Tx } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import type { PlannedLoadBalancer } from "@fairlead/domain/exposure";
import {
  findReleased,
  lockFreeAddress,
  reclaimAddress,
  releaseAddress,
  takeAddress,
} from "../address-pool/allocate.sql.ts";
import { appendFeed } from "../control/append-feed.sql.ts";

export type PlannedFor = { organizationId: string; clusterId: string; exposureId: string; now: Date };

/**
 * fitBalancer gives a load balancer the planned number of replicas that carry packets, and an address of the planned pool. It
 * returns whether that changed it; for an exhausted pool it throws, and has not changed the old address.
 */
export async function fitBalancer(
  tx: Tx,
  target: PlannedFor,
  loadBalancerId: string,
  { replicas, poolId }: { replicas: number; poolId: PlannedLoadBalancer["poolId"] },
): Promise<boolean> {
  const hasOtherReplicas = await setReplicas(tx, loadBalancerId, replicas, target.now);
  const hasOtherAddress = await setAddress(tx, target, loadBalancerId, poolId);
  return hasOtherReplicas || hasOtherAddress;
}

async function setReplicas(tx: Tx, loadBalancerId: string, wanted: number, now: Date): Promise<boolean> {
  // Those of the role adaptive follow the nodes: the reconciler places them.
  const own = { loadBalancerId, role: "balancer" };
  const existing = await tx.replica.findMany({ where: own, select: { ordinal: true } });
  const there = new Set(existing.map((each) => each.ordinal));
  const missing = Array.from({ length: wanted }, (_, ordinal) => ordinal).filter((ordinal) => !there.has(ordinal));
  const isTooMany = existing.some((each) => each.ordinal >= wanted);
  if (isTooMany) await tx.replica.deleteMany({ where: { ...own, ordinal: { gte: wanted } } });
  if (missing.length > 0)
    await tx.replica.createMany({
      data: missing.map((ordinal) => ({ id: newId("replica", now), ...own, ordinal })),
    });
  return isTooMany || missing.length > 0;
}

/**
 * A change of pool moves the address in one transaction: when the new pool is exhausted, the old address stays. Once a
 * driver or agents were given the exposure, the old address may be in use outside until it is observed not to be.
 */
async function setAddress(tx: Tx, target: PlannedFor, loadBalancerId: string, poolId: string | null): Promise<boolean> {
  const held = await tx.virtualAddress.findUnique({ where: { loadBalancerId }, select: { poolId: true } });
  if ((held?.poolId ?? null) === poolId) return false;
  const { organizationId, exposureId, clusterId, now } = target;
  const mine = poolId ? await findReleased(tx, poolId, loadBalancerId) : null;
  const free = poolId && !mine ? await lockFreeAddress(tx, organizationId, poolId) : null;
  if (held) {
    const status = await tx.exposureStatus.findUnique({ where: { exposureId }, select: { applied: true } });
    await releaseAddress(tx, loadBalancerId, status?.applied ?? false);
  }
  if (mine) await reclaimAddress(tx, mine, loadBalancerId);
  else if (poolId && free) await takeAddress(tx, { organizationId, poolId, loadBalancerId, address: free }, now);
  const pools = [held?.poolId, poolId].filter((each) => each !== undefined && each !== null);
  await appendFeed(
    tx,
    organizationId,
    pools.map((subjectId) => ({ subjectKind: "address-pool", subjectId, clusterId })),
  );
  return true;
}
