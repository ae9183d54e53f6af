import type { AddressMap, AddressMapEntry } from "./address-map.ts";

/** What a client of a map has to learn; an entry that moved is told as it is now. */
export type MapDifference = { added: AddressMapEntry[]; removed: AddressMapEntry[]; changed: AddressMapEntry[] };

export function diffMaps(before: AddressMap | null, after: AddressMap): MapDifference {
  const was = byKey(before?.entries ?? []);
  const is = byKey(after.entries);
  return {
    added: [...is].filter(([key]) => !was.has(key)).map(([, entry]) => entry),
    removed: [...was].filter(([key]) => !is.has(key)).map(([, entry]) => entry),
    changed: [...is].flatMap(([key, entry]) => {
      const old = was.get(key);
      return old && spell(old) !== spell(entry) ? [entry] : [];
    }),
  };
}

export function isDifferent({ added, removed, changed }: MapDifference): boolean {
  return added.length + removed.length + changed.length > 0;
}

/** An instance has an entry for each pair of addresses; which of several is which, their order says. */
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

function spell({ pod, node, externalAddress, serverName, ports, ready }: AddressMapEntry): string {
  const ends = ports.map(({ name, protocol, internal, external }) => [name, protocol, internal, external]);
  return JSON.stringify([pod, node, externalAddress, serverName, ready, ends]);
}
