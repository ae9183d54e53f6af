import type { Tx } from "@fairlead/db";
import { spellAddress } from "@fairlead/domain/address";
import { diffMappings } from "@fairlead/domain/address-map";
import { notifyMap } from "./notify-map.sql.ts";
import {
  deleteOthers,
  insertChanges,
  raiseGeneration,
  type SeenMapping,
  selectConcerned,
  selectStored,
  upsertMappings,
} from "./write-mappings.sql.ts";

/**
 * replaceMappings makes what some balancers of an exposure map equal to what was seen of them. The map's generation rises by
 * one when a client would do otherwise, not when all is only seen again; what changed is written down, and who waits is woken.
 */
export async function replaceMappings(
  tx: Tx,
  exposure: { id: string; organizationId: string },
  loadBalancerIds: string[],
  given: SeenMapping[],
  now: Date,
): Promise<void> {
  const seen = given.map((each) => ({ ...each, internalAddress: spellAddress(each.internalAddress) }));
  const stored = (await selectConcerned(tx, exposure.id, loadBalancerIds, seen)).map((each) => ({
    ...each,
    internalAddress: spellAddress(each.internalAddress),
  }));
  const own = new Set(loadBalancerIds);
  const taken = new Set(seen.map(endOf));
  const kept = stored.filter((each) => !own.has(each.loadBalancerId) && !taken.has(endOf(each)));
  const changes = diffMappings(stored, [...kept, ...seen]);
  // Where nothing changed no row takes it.
  const generation = changes.length > 0 ? await raiseGeneration(tx, exposure.id, now) : 0;
  await deleteOthers(tx, loadBalancerIds, seen);
  if (seen.length > 0) await upsertMappings(tx, exposure, seen, generation, now);
  if (changes.length === 0) return;
  await insertChanges(tx, exposure, changes, generation, now);
  await notifyMap(tx, exposure.id);
}

/** leaveMap says of balancers that are to go that nobody new should come: what they map is there and not ready. */
export async function leaveMap(
  tx: Tx,
  exposure: { id: string; organizationId: string },
  loadBalancerIds: string[],
  now: Date,
): Promise<void> {
  const leaving = new Set(loadBalancerIds);
  const stored = (await selectStored(tx, exposure.id)).filter((each) => leaving.has(each.loadBalancerId));
  await replaceMappings(
    tx,
    exposure,
    loadBalancerIds,
    stored.map((each) => ({ ...each, ready: false })),
    now,
  );
}

/** dropMappings takes what balancers map that are gone out of the map, before their rows take it along unseen. */
export async function dropMappings(
  tx: Tx,
  exposure: { id: string; organizationId: string },
  loadBalancerIds: string[],
  now: Date,
): Promise<void> {
  await replaceMappings(tx, exposure, loadBalancerIds, [], now);
}

function endOf({ protocol, internalAddress, internalPort }: SeenMapping): string {
  return `${protocol} ${internalAddress} ${internalPort}`;
}
