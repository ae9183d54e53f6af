import type { AddressMap, AddressMapEntry } from "./address-map.ts";

/** The changes between two maps. A changed entry has its new values. */
export type MapDifference = { added: AddressMapEntry[]; removed: AddressMapEntry[]; changed: AddressMapEntry[] };

export function diffMaps(before: AddressMap | null, after: AddressMap): MapDifference {
  const old = byKey(before?.entries ?? []);
  const current = byKey(after.entries);
  return {
    added: [...current].filter(([key]) => !old.has(key)).map(([, entry]) => entry),
    removed: [...old].filter(([key]) => !current.has(key)).map(([, entry]) => entry),
    changed: [...current].flatMap(([key, entry]) => {
      const previous = old.get(key);
      return previous && serialize(previous) !== serialize(entry) ? [entry] : [];
    }),
  };
}

export function isDifferent({ added, removed, changed }: MapDifference): boolean {
  return added.length + removed.length + changed.length > 0;
}

/** An instance has one entry per address pair. Entries with the same instance and address are matched by order. */
function byKey(entries: readonly AddressMapEntry[]): Map<string, AddressMapEntry> {
  const seen = new Map<string, number>();
  return new Map(
    entries.map((entry) => {
      const name = JSON.stringify([entry.instance, entry.internalAddress]);
      const number = seen.get(name) ?? 0;
      seen.set(name, number + 1);
      return [`${name} ${number}`, entry];
    }),
  );
}

function serialize({ pod, node, externalAddress, serverName, ports, ready }: AddressMapEntry): string {
  const ends = ports.map(({ name, protocol, internal, external }) => [name, protocol, internal, external]);
  return JSON.stringify([pod, node, externalAddress, serverName, ready, ends]);
}
