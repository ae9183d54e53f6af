import type { Tx } from "@fairlead/db";
import { appendFeed } from "../control/append-feed.sql.ts";

/** announceLoadBalancers notifies live streams that all balancers of an exposure changed. */
export async function announceLoadBalancers(
  tx: Tx,
  organizationId: string,
  exposure: { id: string; clusterId: string },
): Promise<void> {
  const rows = await tx.loadBalancer.findMany({ where: { exposureId: exposure.id }, select: { id: true } });
  await appendFeed(
    tx,
    organizationId,
    rows.map(({ id }) => ({ subjectKind: "load-balancer", subjectId: id, clusterId: exposure.clusterId })),
  );
}
