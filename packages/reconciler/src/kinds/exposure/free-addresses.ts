import type { Tx } from "@fairlead/db";
import type { FeedEntry } from "@fairlead/domain/event";
import type { DesiredExposure, ObservedOutside } from "@fairlead/domain/exposure";
import { appendFeed, freeReleasedAddresses } from "@fairlead/services";
import type { ExposureHead } from "./exposure-head.sql.ts";

/**
 * freeAddresses releases the addresses that the exposure gave up and that are no longer observed, and returns how many
 * are still taken. Only a pass for the newest spec may do so: an older one may just have requested an address that was
 * given up since.
 */
export async function freeAddresses(
  tx: Tx,
  desired: DesiredExposure,
  head: ExposureHead,
  outside: ObservedOutside,
): Promise<number> {
  if (desired.generation !== head.generation) return 0;
  const answering = outside.loadBalancers.flatMap((each) => [
    ...(each.address === null ? [] : [each.address]),
    ...each.mappings.map((mapping) => mapping.externalAddress),
  ]);
  const { poolIds, remaining } = await freeReleasedAddresses(tx, desired.id, answering);
  const entries = poolIds.map(
    (subjectId): FeedEntry => ({ subjectKind: "address-pool", subjectId, clusterId: desired.cluster.id }),
  );
  await appendFeed(tx, desired.organizationId, entries);
  return remaining;
}
