import type { Tx } from "@fairlead/db";
import type { ClusterKind, DesiredExposure, DesiredLoadBalancer, Exposure, Strategy } from "@fairlead/domain";
import { joinStrategy } from "./rows.ts";
import { withoutMask } from "./without-mask.ts";

/** loadDesiredExposure reads everything of one exposure that a driver must know, whole; null when its row is gone. */
export async function loadDesiredExposure(tx: Tx, id: string): Promise<DesiredExposure | null> {
  const row = await tx.exposure.findUnique({
    where: { id },
    include: {
      cluster: { select: { id: true, name: true, kind: true } },
      status: { select: { applied: true } },
      loadBalancers: {
        orderBy: { id: "asc" },
        include: {
          address: { select: { address: true } },
          replicas: { select: { id: true, ordinal: true, nodeId: true }, orderBy: { ordinal: "asc" } },
        },
      },
    },
  });
  if (!row) return null;
  const { organizationId, name, generation, deletedAt } = row;
  return {
    id,
    organizationId,
    // The columns hold what the schemas let in: only the verbs write them.
    cluster: { ...row.cluster, kind: row.cluster.kind as ClusterKind },
    name,
    workload: row.workload as Exposure["workload"],
    ports: row.ports as Exposure["ports"],
    strategy: joinStrategy(row.strategy as Strategy["type"], row.parameters as object),
    labels: row.labels as Exposure["labels"],
    generation,
    deletedAt,
    applied: row.status?.applied ?? false,
    loadBalancers: row.loadBalancers.map((each) => ({
      id: each.id,
      name: each.name,
      kind: each.kind as DesiredLoadBalancer["kind"],
      instance: each.instance,
      address: each.address ? withoutMask(each.address.address) : null,
      deletedAt: each.deletedAt,
      replicas: each.replicas,
    })),
  };
}
