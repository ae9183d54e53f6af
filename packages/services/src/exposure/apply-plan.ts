import type { Tx } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import type { ExposurePlan, PlannedLoadBalancer } from "@fairlead/domain/exposure";
import { appendFeed } from "../control/append-feed.sql.ts";
import { fitBalancer, type PlannedFor } from "./fit-balancer.ts";

/**
 * applyPlan makes the rows of an exposure's load balancers equal to its plan: planned ones are matched to existing ones
 * in order, so a change keeps what it can (an id, an address, replicas). Balancers of single instances are not planned
 * and stay untouched.
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
    const isOther = await fitBalancer(tx, target, id, planned);
    // Renames it, and records when it was last changed.
    if (before && (isOther || before.name !== planned.name))
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
