import type { Tx } from "@fairlead/db";
import type { FeedEntry } from "@fairlead/domain/event";
import { notifyMap } from "../address-map/notify-map.sql.ts";
import { appendFeed } from "../control/append-feed.sql.ts";
import { recordEvent } from "../control/record-event.ts";

/**
 * removeExposure deletes a deleted exposure's rows once nothing of it is left outside. Its load balancers are deleted
 * with it and their addresses are free again. One that is not being deleted is left alone; it returns whether a row was
 * deleted.
 */
export async function removeExposure(tx: Tx, id: string, now: Date): Promise<boolean> {
  const exposure = await tx.exposure.findUnique({
    where: { id },
    select: {
      organizationId: true,
      clusterId: true,
      name: true,
      loadBalancers: {
        select: { id: true, address: { select: { poolId: true } }, released: { select: { poolId: true } } },
      },
    },
  });
  if (!exposure) return false;
  const { count } = await tx.exposure.deleteMany({ where: { id, deletedAt: { not: null } } });
  if (count === 0) return false;
  const { organizationId, clusterId, name, loadBalancers } = exposure;
  const addresses = loadBalancers.flatMap((each) => [...(each.address ? [each.address] : []), ...each.released]);
  const pools = new Set(addresses.map((each) => each.poolId));
  const entries: FeedEntry[] = [
    ...loadBalancers.map((each) => ({ subjectKind: "load-balancer" as const, subjectId: each.id, clusterId })),
    ...[...pools].map((subjectId) => ({ subjectKind: "address-pool" as const, subjectId, clusterId })),
  ];
  await appendFeed(tx, organizationId, entries);
  await notifyMap(tx, id);
  await recordEvent(tx, organizationId, {
    at: now,
    reason: "ExposureRemoved",
    message: pools.size > 0 ? `${name} is gone; its addresses are free again.` : `${name} is gone.`,
    subjectKind: "exposure",
    subjectId: id,
    subjectName: name,
    clusterId,
  });
  return true;
}
