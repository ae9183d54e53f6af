import { type Endpoint, normalHost } from "./address.ts";
import type { AddressMap, AddressMapEntry } from "./address-map.ts";

/** Additional names that servers announce for an instance, such as the DNS name of its pod. */
export type NamesOf = (entry: AddressMapEntry) => readonly string[];

type Outside = { endpoint: Endpoint | null; ready: boolean };

/** MapIndex looks up addresses in both directions in constant time. It is built once per map and immutable. */
export class MapIndex {
  readonly #outside = new Map<string, Outside>();
  readonly #inside = new Map<string, Endpoint>();
  readonly #shared = new Set<string>();

  constructor(map: AddressMap, namesOf: NamesOf = () => []) {
    for (const entry of map.entries) {
      const names = [entry.internalAddress, ...namesOf(entry).map(normalHost)];
      for (const { protocol, internal, external } of entry.ports) {
        const sni = entry.serverName === undefined ? {} : { serverName: entry.serverName };
        const endpoint = entry.externalAddress ? { host: entry.externalAddress, port: external, ...sni } : null;
        for (const name of names) this.#add(keyOf(name, internal, protocol), { endpoint, ready: entry.ready });
        if (!endpoint) continue;
        const inside = { host: entry.internalAddress, port: internal };
        // If several instances share an endpoint, only the server name identifies the instance.
        const back = keyOf(entry.serverName ?? endpoint.host, external, protocol);
        if (!this.#inside.has(back)) this.#inside.set(back, inside);
        if (entry.serverName !== undefined) this.#shared.add(keyOf(endpoint.host, external, protocol));
      }
    }
  }

  /** external returns null for an instance without an external address, undefined for an address that isn't in the map. */
  external(host: string, port: number, protocol: string): Endpoint | null | undefined {
    const found = this.#outside.get(keyOf(normalHost(host), port, protocol));
    return found?.endpoint && { ...found.endpoint };
  }

  internal(host: string, port: number, protocol: string): Endpoint | null {
    const found = this.#inside.get(keyOf(normalHost(host), port, protocol));
    return found ? { ...found } : null;
  }

  /** isExternal returns whether an endpoint is an external endpoint of the map. */
  isExternal(host: string, port: number, protocol: string): boolean {
    const key = keyOf(normalHost(host), port, protocol);
    return this.#inside.has(key) || this.#shared.has(key);
  }

  get size(): number {
    return this.#outside.size;
  }

  /** An instance may have several external addresses: a ready one is preferred, then any address over none. */
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
