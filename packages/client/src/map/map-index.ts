import { type Endpoint, normalHost } from "./address.ts";
import type { AddressMap, AddressMapEntry } from "./address-map.ts";

/** Further names under which servers announce an instance, such as the DNS name of its pod. */
export type NamesOf = (entry: AddressMapEntry) => readonly string[];

type Outside = { endpoint: Endpoint | null; ready: boolean };

/** MapIndex answers both ways in constant time. It is made once for each map and never changes. */
export class MapIndex {
  readonly #outside = new Map<string, Outside>();
  readonly #inside = new Map<string, Endpoint>();
  readonly #shared = new Set<string>();

  constructor(map: AddressMap, namesOf: NamesOf = () => []) {
    for (const entry of map.entries) {
      const names = [entry.internalAddress, ...namesOf(entry).map(normalHost)];
      for (const { protocol, internal, external } of entry.ports) {
        const asked = entry.serverName === undefined ? {} : { serverName: entry.serverName };
        const endpoint = entry.externalAddress ? { host: entry.externalAddress, port: external, ...asked } : null;
        for (const name of names) this.#add(keyOf(name, internal, protocol), { endpoint, ready: entry.ready });
        if (!endpoint) continue;
        const inside = { host: entry.internalAddress, port: internal };
        // Of an end that several instances share, only the name says which one it is.
        const back = keyOf(entry.serverName ?? endpoint.host, external, protocol);
        if (!this.#inside.has(back)) this.#inside.set(back, inside);
        if (entry.serverName !== undefined) this.#shared.add(keyOf(endpoint.host, external, protocol));
      }
    }
  }

  /** external is null for an instance that has no external address yet, undefined for what is not in the map. */
  external(host: string, port: number, protocol: string): Endpoint | null | undefined {
    const found = this.#outside.get(keyOf(normalHost(host), port, protocol));
    return found?.endpoint && { ...found.endpoint };
  }

  internal(host: string, port: number, protocol: string): Endpoint | null {
    const found = this.#inside.get(keyOf(normalHost(host), port, protocol));
    return found ? { ...found } : null;
  }

  /** isExternal says whether an end is one that the map leads to. */
  isExternal(host: string, port: number, protocol: string): boolean {
    const key = keyOf(normalHost(host), port, protocol);
    return this.#inside.has(key) || this.#shared.has(key);
  }

  get size(): number {
    return this.#outside.size;
  }

  /** An instance may have several external addresses: one that is ready wins over one that isn't, any over none. */
  #add(key: string, next: Outside): void {
    const old = this.#outside.get(key);
    if (!old || rank(next) > rank(old)) this.#outside.set(key, next);
  }
}

function rank({ endpoint, ready }: Outside): number {
  return (endpoint ? 2 : 0) + (ready ? 1 : 0);
}

function keyOf(host: string, port: number, protocol: string): string {
  return `${protocol} ${port} ${host}`;
}
