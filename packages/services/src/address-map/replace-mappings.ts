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
 * replaceMappings makes some balancers' mappings equal to what was observed. The map's generation rises by one when a
 * client would behave differently, not when everything is only observed again; changes are recorded, and waiters woken.
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
  // Without changes no row gets it.
  const generation = changes.length > 0 ? await raiseGeneration(tx, exposure.id, now) : 0;
  await deleteOthers(tx, loadBalancerIds, seen);
  if (seen.length > 0) await upsertMappings(tx, exposure, seen, generation, now);
  if (changes.length === 0) return;
  await insertChanges(tx, exposure, changes, generation, now);
  await notifyMap(tx, exposure.id);
}

/** leaveMap marks the mappings of balancers that are being removed as not ready, so that no new clients connect. */
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

/**
 * dropMappings removes deleted balancers' mappings from the map, before deleting their rows would remove them without a
 * record.
 */
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
