import type { Tx } from "@fairlead/db";
import { type ExposurePlan, newId, type PlannedLoadBalancer } from "@fairlead/domain";
import { appendFeed } from "../control/append-feed.sql.ts";
import { allocateAddress, reclaimAddress, releaseAddress } from "../pool/allocate.sql.ts";

export type PlannedFor = { organizationId: string; clusterId: string; exposureId: string; now: Date };

/**
 * applyPlan makes the rows of an exposure's load balancers equal to its plan: the first planned one is the first
 * that is there, so a change keeps what it can (its id, its address, its replicas). Balancers of single
 * instances are not planned and stay untouched.
 */
export async function applyPlan(tx: Tx, target: PlannedFor, plan: ExposurePlan): Promise<void> {
  const existing = await tx.loadBalancer.findMany({
    where: { exposureId: target.exposureId, instance: null, deletedAt: null },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    select: { id: true, name: true },
  });
  const touched: string[] = [];
  for (const [i, planned] of plan.loadBalancers.entries()) {
    const before = existing[i];
    const id = before?.id ?? (await makeLoadBalancer(tx, target, planned));
    const hasOtherReplicas = await setReplicas(tx, id, planned.replicas, target.now);
    const hasOtherAddress = await setAddress(tx, target, id, planned.poolId);
    // Renames it, and says when it was last changed.
    if (before && (hasOtherReplicas || hasOtherAddress || before.name !== planned.name))
      await tx.loadBalancer.update({ where: { id }, data: { name: planned.name } });
    touched.push(id);
  }
  await appendFeed(
    tx,
    target.organizationId,
    touched.map((subjectId) => ({ subjectKind: "load-balancer", subjectId, clusterId: target.clusterId })),
  );
}

async function makeLoadBalancer(tx: Tx, target: PlannedFor, planned: PlannedLoadBalancer): Promise<string> {
  const { organizationId, clusterId, exposureId } = target;
  const id = newId("loadBalancer", target.now);
  const { name, kind } = planned;
  await tx.loadBalancer.create({ data: { id, organizationId, clusterId, exposureId, name, kind } });
  return id;
}

async function setReplicas(tx: Tx, loadBalancerId: string, wanted: number, now: Date): Promise<boolean> {
  const existing = await tx.replica.findMany({ where: { loadBalancerId }, select: { ordinal: true } });
  const there = new Set(existing.map((each) => each.ordinal));
  const missing = Array.from({ length: wanted }, (_, ordinal) => ordinal).filter((ordinal) => !there.has(ordinal));
  const { count: removed } = await tx.replica.deleteMany({ where: { loadBalancerId, ordinal: { gte: wanted } } });
  await tx.replica.createMany({
    data: missing.map((ordinal) => ({ id: newId("replica", now), loadBalancerId, ordinal })),
  });
  return missing.length + removed > 0;
}

/**
 * A change of pool moves the address in one transaction: when the new pool is exhausted, the old address stays. Once a
 * driver was asked to make the exposure, the old address may be in use outside for as long as nobody saw otherwise.
 */
async function setAddress(tx: Tx, target: PlannedFor, loadBalancerId: string, poolId: string | null): Promise<boolean> {
  const held = await tx.virtualAddress.findUnique({ where: { loadBalancerId }, select: { poolId: true } });
  if ((held?.poolId ?? null) === poolId) return false;
  const { organizationId, exposureId, clusterId, now } = target;
  if (held) {
    const status = await tx.exposureStatus.findUnique({ where: { exposureId }, select: { applied: true } });
    await releaseAddress(tx, loadBalancerId, status?.applied ?? false);
  }
  if (poolId && !(await reclaimAddress(tx, poolId, loadBalancerId)))
    await allocateAddress(tx, organizationId, poolId, loadBalancerId, now);
  const pools = [held?.poolId, poolId].filter((each) => each !== undefined && each !== null);
  await appendFeed(
    tx,
    organizationId,
    pools.map((subjectId) => ({ subjectKind: "address-pool", subjectId, clusterId })),
  );
  return true;
}
