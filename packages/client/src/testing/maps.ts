import { setTimeout as sleep } from "node:timers/promises";
import type { AddressMap, AddressMapEntry } from "../map/address-map.ts";

export const exposureId = "exp_01kav3x0zq8w4m2n6r5t7y9b1c";

/** oneInstance is an entry as the control plane serves it: 10.0.5.N:11222 inside, 203.0.113.N outside. */
export function oneInstance(number: number, change: Partial<AddressMapEntry> = {}): AddressMapEntry {
  return {
    instance: `grid-${number}`,
    pod: `grid-${number}`,
    node: `node-${number}`,
    internalAddress: `10.0.5.${number}`,
    externalAddress: `203.0.113.${number}`,
    ports: [{ name: "hotrod", protocol: "tcp", internal: 11_222, external: 30_000 + number }],
    ready: true,
    since: "2026-11-25T00:00:00.000Z",
    generation: 1,
    ...change,
  };
}

export function aMap(generation: number, entries: readonly AddressMapEntry[] = [oneInstance(5)]): AddressMap {
  return { exposureId, name: "grid", generation, observedAt: "2026-11-25T00:00:00.000Z", entries };
}

/** until waits for a condition and throws if it isn't met in time. */
export async function until(what: string, isSo: () => boolean, maxMs = 30_000): Promise<void> {
  const deadline = performance.now() + maxMs;
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error(`not within ${maxMs} ms: ${what}`);
    await sleep(5);
  }
}
