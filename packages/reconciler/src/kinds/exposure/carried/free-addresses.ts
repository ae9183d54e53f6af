import type { Tx } from "@fairlead/db";
import type { FeedEntry } from "@fairlead/domain/event";
import type { DesiredExposure } from "@fairlead/domain/exposure";
import { appendFeed, freeReleasedAddresses } from "@fairlead/services";
import { isAnyBehind, selectCarriers } from "./carriers.sql.ts";
import { markLacking } from "./holders.sql.ts";

/**
 * freeCarriedAddresses releases former addresses that no agent answers on any more, and returns how many are still
 * taken.
 */
export async function freeCarriedAddresses(tx: Tx, desired: DesiredExposure, presentForMs: number): Promise<number> {
  const { id, organizationId, cluster, loadBalancers } = desired;
  const ids = loadBalancers.map((each) => each.id);
  const released = await tx.virtualAddress.count({ where: { releasedById: { in: ids } } });
  if (released === 0) return 0;
  const carriers = await selectCarriers(tx, desired, ids, presentForMs);
  // An agent's next config may be the one without the address.
  if (await isAnyBehind(tx, carriers)) return released;
  const answering = carriers.flatMap((each) => each.addresses);
  const { poolIds, remaining } = await freeReleasedAddresses(tx, id, answering);
  const entries = poolIds.map(
    (subjectId): FeedEntry => ({ subjectKind: "address-pool", subjectId, clusterId: cluster.id }),
  );
  await appendFeed(tx, organizationId, entries);
  if (poolIds.length > 0) await markLacking(tx, cluster.id);
  return remaining;
}
