import type { Tx } from "@fairlead/db";
import { newId } from "@fairlead/domain";
import type { Exposure } from "@fairlead/domain/exposure";

/**
 * handOver makes the load balancer of another cluster the one that has the address, in the caller's transaction; the others
 * announce the address of that one then. The address stays in its pool. Names follow, because that of the exposure's own balancer
 * is the exposure's.
 */
export async function handOver(
  tx: Tx,
  { id: exposureId, organizationId, name }: Pick<Exposure, "id" | "name"> & { organizationId: string },
  to: { clusterId: string; now: Date },
): Promise<void> {
  const select = { id: true, kind: true, clusterId: true, cluster: { select: { name: true } } } as const;
  const holder = await tx.loadBalancer.findFirstOrThrow({
    where: { exposureId, instance: null, addressOfId: null, deletedAt: null },
    select,
  });
  const found = await tx.loadBalancer.findFirst({
    where: { exposureId, instance: null, clusterId: to.clusterId, addressOfId: { not: null } },
    select: { id: true },
  });
  const next = found ?? { id: newId("loadBalancer", to.now) };
  await tx.loadBalancer.update({
    where: { id: holder.id },
    data: { name: `${name}-${holder.cluster.name}` },
  });
  if (!found)
    await tx.loadBalancer.create({
      data: { id: next.id, organizationId, exposureId, clusterId: to.clusterId, name, kind: holder.kind },
    });
  await tx.virtualAddress.updateMany({ where: { loadBalancerId: holder.id }, data: { loadBalancerId: next.id } });
  await tx.loadBalancer.update({ where: { id: next.id }, data: { addressOfId: null, deletedAt: null, name } });
  await tx.loadBalancer.updateMany({
    where: { exposureId, instance: null, id: { not: next.id } },
    data: { addressOfId: next.id },
  });
}
