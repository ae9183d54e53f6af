import type { Tx } from "@fairlead/db";
import { canonicalJson, newId } from "@fairlead/domain";
import { type CloudRoute, cloudRoute, placeCloudAddresses, unfitAfterMs } from "@fairlead/domain/cloud";
import {
  lockCloudRoute,
  type StoredAddress,
  type StoredRoute,
  selectStoredAddresses,
  selectWantedAddresses,
} from "./load.sql.ts";

/** How often the cloud is checked for drift. */
export const askedEveryMs = 30_000;
const soonestMs = 500;

export type Decision = {
  route: StoredRoute;
  /** null when the route is removed. */
  settings: CloudRoute | null;
  /** The settings that the newest key was given for, even if they were removed since. */
  newest: CloudRoute;
  /** The settings that were applied last; null for none. */
  applied: CloudRoute | null;
  addresses: StoredAddress[];
  /** The addresses of paused exposures, which stay where they are. */
  paused: ReadonlySet<string>;
  /** There is something to do in the cloud, or it is time to check it. */
  isDue: boolean;
  /** When the next replica would count as silent if it sends no report until then. */
  lookInMs: number;
};

/**
 * decide writes which replica each address is to be routed to, before the cloud is called: a controller that dies in
 * the middle leaves a record of everything that may exist.
 */
export async function decide(tx: Tx, clusterId: string, now: Date, presentForMs: number): Promise<Decision | null> {
  const route = await lockCloudRoute(tx, clusterId);
  if (!route) return null;
  const newest = cloudRoute.parse(route.settings);
  const settings = route.deletedAt ? null : newest;
  const applied = route.appliedSettings === null ? null : cloudRoute.parse(route.appliedSettings);
  const stored = new Map((await selectStoredAddresses(tx, clusterId)).map((each) => [each.address, each]));
  const isChanged =
    canonicalJson(applied) !== canonicalJson(settings) || route.credentials !== route.appliedCredentials;
  const all = settings ? await selectWantedAddresses(tx, clusterId, presentForMs) : [];
  // New settings are from before the pause: they move every address, or a paused one would lose its former place.
  const wanted = all.filter((each) => !each.isPaused || isChanged);
  const paused = new Set(all.filter((each) => !wanted.includes(each)).map((each) => each.address));
  const places = placeCloudAddresses(
    wanted.map(({ address, replicas }) => ({ address, agentId: stored.get(address)?.agentId ?? null, replicas })),
  );
  for (const [index, { address, to, isServed, reason }] of places.entries()) {
    const { loadBalancerId = "" } = wanted[index] ?? {};
    const row = stored.get(address);
    const target = { agentId: to?.agentId ?? null, toAddress: to?.address || row?.toAddress || "" };
    const isMoved = target.agentId !== row?.agentId || target.toAddress !== row?.toAddress;
    // A failed change is retried as it was decided; its reason stays until the problem is known to be solved.
    const state = !isServed
      ? "unserved"
      : isMoved || row?.state === "unserved" || row?.state === "leaving"
        ? "moving"
        : row.state;
    const reasonNow = isServed && !isMoved && state === row?.state ? row.reason : reason;
    const decided = { ...target, loadBalancerId, state, reason: reasonNow };
    const moved = isMoved ? { decidedAt: now, fromName: row?.nodeName ?? "" } : {};
    if (!row) {
      const { organizationId } = route;
      const own = { id: newId("cloudAddress", now), organizationId, clusterId, address, ...decided, decidedAt: now };
      await tx.cloudAddress.create({ data: own });
    } else if (isMoved || state !== row.state || reasonNow !== row.reason || loadBalancerId !== row.loadBalancerId)
      await tx.cloudAddress.update({ where: { id: row.id }, data: { ...decided, ...moved } });
  }
  const leaving = [...stored.values()].filter(
    ({ address, state }) =>
      state !== "leaving" && !paused.has(address) && !places.some((each) => each.address === address),
  );
  if (leaving.length > 0)
    await tx.cloudAddress.updateMany({
      where: { id: { in: leaving.map((each) => each.id) } },
      data: { state: "leaving", reason: "", agentId: null, toAddress: "" },
    });
  const addresses = await selectStoredAddresses(tx, clusterId);
  const oldest = Math.min(...addresses.map((each) => each.observedAt?.getTime() ?? 0));
  return {
    route,
    settings,
    newest,
    applied,
    addresses,
    paused,
    isDue:
      (isChanged && (addresses.length > 0 || applied !== null)) ||
      addresses.some(
        ({ address, state, observedAt }) =>
          !paused.has(address) && ((state !== "placed" && state !== "unserved") || observedAt === null),
      ) ||
      now.getTime() - oldest > askedEveryMs,
    lookInMs: lookIn(places.flatMap(({ to }) => to ?? [])),
  };
}

function lookIn(replicas: readonly { silentForMs: number | null; reportIntervalMs: number }[]): number {
  const waits = replicas.map((each) => unfitAfterMs(each.reportIntervalMs) - (each.silentForMs ?? 0));
  return Math.min(askedEveryMs, ...waits.map((each) => (each < 0 ? askedEveryMs : Math.max(soonestMs, each + 10))));
}
