import type { Tx } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import type { ExposurePlan, PlannedLoadBalancer } from "@fairlead/domain/exposure";
import { appendFeed } from "../control/append-feed.sql.ts";
import { markRouting } from "../control/mark-routing.sql.ts";
import { fitBalancer, type PlannedFor } from "./fit-balancer.ts";
import { keepShares } from "./keep-shares.sql.ts";

/**
 * applyPlan makes the rows of an exposure's load balancers equal to its plan: planned ones are matched to existing ones of their
 * cluster in order, so a change keeps what it can (an id, an address, replicas). Those of a cluster that the exposure no longer
 * spans are deleted once they have drained. Balancers of single instances are not planned and stay untouched.
 */
export async function applyPlan(tx: Tx, target: PlannedFor, plan: ExposurePlan): Promise<void> {
  const existing = await tx.loadBalancer.findMany({
    where: { exposureId: target.exposureId, instance: null, OR: [{ deletedAt: null }, { addressOfId: { not: null } }] },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    select: { id: true, name: true, clusterId: true, addressOfId: true, deletedAt: true },
  });
  const touched: Touched[] = [];
  let isOtherAddress = false;
  let isOtherCluster = false;
  const own = existing.filter((each) => each.addressOfId === null);
  const others = new Map(existing.flatMap((each) => (each.addressOfId === null ? [] : [[each.clusterId, each]])));
  for (const planned of plan.loadBalancers) {
    const { clusterId = target.clusterId, name } = planned;
    const before = planned.clusterId ? others.get(planned.clusterId) : own.shift();
    others.delete(clusterId);
    const place = { ...target, clusterId };
    const id =
      before?.id ?? (await makeLoadBalancer(tx, place, planned, planned.clusterId ? touched[0]?.id : undefined));
    const isOther = await fitBalancer(tx, place, id, planned);
    // Renames it, and records when it was last changed.
    if (before && (isOther || before.name !== name || before.deletedAt))
      await tx.loadBalancer.update({ where: { id }, data: { name, deletedAt: null } });
    // Its reflectors and routers accept only the addresses that it announces, and the pool may be another one now.
    if (planned.clusterId && (!before || isOtherAddress)) await markRouting(tx, clusterId);
    isOtherCluster ||= planned.clusterId !== undefined && !before;
    if (!planned.clusterId) isOtherAddress = isOther;
    touched.push({ id, clusterId });
  }
  // Routers in common get the speakers of a new cluster as peers.
  if (isOtherCluster)
    for (const clusterId of touched.map((each) => each.clusterId).sort()) await markRouting(tx, clusterId);
  const left = [...others.values()].filter((each) => each.deletedAt === null);
  await tx.loadBalancer.updateMany({
    where: { id: { in: left.map((each) => each.id) } },
    data: { deletedAt: target.now },
  });
  await keepShares(tx, target.exposureId);
  await appendFeed(
    tx,
    target.organizationId,
    [...touched, ...left].map(({ id, clusterId }) => ({ subjectKind: "load-balancer", subjectId: id, clusterId })),
  );
}

type Touched = { id: string; clusterId: string };

/** addressOfId: the balancer whose address it announces too, in another cluster. */
async function makeLoadBalancer(
  tx: Tx,
  target: PlannedFor,
  planned: PlannedLoadBalancer,
  addressOfId: string | undefined,
): Promise<string> {
  const { organizationId, clusterId, exposureId } = target;
  const id = newId("loadBalancer", target.now);
  const { name, kind } = planned;
  await tx.loadBalancer.create({
    data: { id, organizationId, clusterId, exposureId, name, kind, ...(addressOfId ? { addressOfId } : {}) },
  });
  return id;
}
