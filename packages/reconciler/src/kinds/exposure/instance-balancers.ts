import type { Tx } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import type { FeedEntry } from "@fairlead/domain/event";
import type { DesiredExposure } from "@fairlead/domain/exposure";
import type { InstanceBalancersPlan } from "@fairlead/domain/load-balancer";
import { appendFeed, dropMappings, leaveMap } from "@fairlead/services";

/** applyInstancePlan creates the missing rows and marks those to remove; the next pass applies both outside. */
export async function applyInstancePlan(
  tx: Tx,
  desired: DesiredExposure,
  plan: InstanceBalancersPlan,
  now: Date,
): Promise<void> {
  const { id: exposureId, organizationId, cluster } = desired;
  const created = plan.create.map((planned) => ({
    ...planned,
    id: newId("loadBalancer", now),
    organizationId,
    clusterId: cluster.id,
    exposureId,
  }));
  if (created.length > 0) await tx.loadBalancer.createMany({ data: created });
  if (plan.remove.length > 0) {
    await tx.loadBalancer.updateMany({ where: { id: { in: plan.remove } }, data: { deletedAt: now } });
    await leaveMap(tx, desired, plan.remove, now);
  }
  if (plan.missed.length > 0)
    await tx.loadBalancer.updateMany({ where: { id: { in: plan.missed } }, data: { instanceGoneAt: now } });
  if (plan.found.length > 0)
    await tx.loadBalancer.updateMany({ where: { id: { in: plan.found } }, data: { instanceGoneAt: null } });
  await appendFeed(tx, organizationId, [
    ...pointers([...created.map((each) => each.id), ...plan.remove], cluster.id),
    ...exposurePointer(created.length + plan.remove.length, desired),
  ]);
}

/** dropGoneBalancers deletes removed balancers that no longer exist outside, and returns how many still do. */
export async function dropGoneBalancers(
  tx: Tx,
  desired: DesiredExposure,
  there: ReadonlySet<string>,
  now: Date,
): Promise<number> {
  const leaving = desired.loadBalancers.filter((each) => each.deletedAt);
  const ids = leaving.filter((each) => !there.has(each.id)).map((each) => each.id);
  if (ids.length > 0) {
    await dropMappings(tx, desired, ids, now);
    const held = await tx.virtualAddress.findMany({
      where: { OR: [{ loadBalancerId: { in: ids } }, { releasedById: { in: ids } }] },
      distinct: ["poolId"],
      select: { poolId: true },
    });
    // Their addresses are deleted with them.
    await tx.loadBalancer.deleteMany({ where: { id: { in: ids } } });
    await appendFeed(
      tx,
      desired.organizationId,
      held.map(({ poolId }) => ({ subjectKind: "address-pool", subjectId: poolId, clusterId: desired.cluster.id })),
    );
  }
  await appendFeed(tx, desired.organizationId, [
    ...pointers(ids, desired.cluster.id),
    ...exposurePointer(ids.length, desired),
  ]);
  return leaving.length - ids.length;
}

function pointers(ids: string[], clusterId: string): FeedEntry[] {
  return ids.map((subjectId) => ({ subjectKind: "load-balancer", subjectId, clusterId }));
}

function exposurePointer(changed: number, { id, cluster }: DesiredExposure): FeedEntry[] {
  return changed > 0 ? [{ subjectKind: "exposure", subjectId: id, clusterId: cluster.id }] : [];
}
