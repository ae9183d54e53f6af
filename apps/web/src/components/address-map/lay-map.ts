import type { AddressMapEntry } from "@fairlead/domain/address-map";

export type MapSpot = {
  key: string;
  column: "address" | "instance" | "node";
  name: string;
  /** In percent of the picture. */
  x: number;
  y: number;
  isReady: boolean;
};
export type MapLine = { key: string; from: MapSpot; to: MapSpot; isReady: boolean };
export type MapPicture = {
  titles: string[];
  rows: number;
  spots: MapSpot[];
  lines: MapLine[];
  /** Instances that don't fit in the picture. */
  leftOut: number;
};

export const maxDrawn = 8;

type Drawn = { instance: string; addresses: string[]; nodes: string[]; isReady: boolean };

/**
 * layMap draws how clients reach instances: external addresses on the left, then instances, then their nodes. If there
 * are too many, instances that are not ready come first, because users look for those.
 */
export function layMap(entries: readonly AddressMapEntry[]): MapPicture {
  const all = gather(entries);
  const troubled = all.filter((each) => !each.isReady).slice(0, maxDrawn);
  const others = all.filter((each) => each.isReady).slice(0, maxDrawn - troubled.length);
  const drawn = all.filter((each) => troubled.includes(each) || others.includes(each));
  const columns = [
    {
      column: "address" as const,
      title: "External addresses",
      names: inOrder(drawn.flatMap((each) => each.addresses)),
    },
    { column: "instance" as const, title: "Instances", names: drawn.map((each) => each.instance) },
    { column: "node" as const, title: "Nodes", names: inOrder(drawn.flatMap((each) => each.nodes)) },
  ].filter(({ names }) => names.length > 0);
  const spots = new Map<string, MapSpot>();
  for (const [i, { column, names }] of columns.entries())
    for (const [j, name] of names.entries()) {
      const key = `${column} ${name}`;
      const [x, y] = [(100 * (i + 0.5)) / columns.length, (100 * (j + 0.5)) / names.length];
      spots.set(key, { key, column, name, x, y, isReady: isReady(drawn, column, name) });
    }
  return {
    titles: columns.map(({ title }) => title),
    rows: Math.max(0, ...columns.map(({ names }) => names.length)),
    spots: [...spots.values()],
    lines: drawn.flatMap((each) => linesOf(each, spots)),
    leftOut: all.length - drawn.length,
  };
}

/** An instance has an entry for each pair of addresses. */
function gather(entries: readonly AddressMapEntry[]): Drawn[] {
  const groups = Map.groupBy(entries, (each) => each.instance);
  return [...groups].map(([instance, group]) => ({
    instance,
    addresses: inOrder(group.map((each) => each.externalAddress)),
    nodes: inOrder(group.flatMap((each) => (each.node === null ? [] : [each.node]))),
    isReady: group.every((each) => each.ready),
  }));
}

function linesOf({ instance, addresses, nodes, isReady }: Drawn, spots: Map<string, MapSpot>): MapLine[] {
  const middle = spots.get(`instance ${instance}`);
  const ends = [...addresses.map((name) => `address ${name}`), ...nodes.map((name) => `node ${name}`)];
  return ends.flatMap((key) => {
    const end = spots.get(key);
    if (!middle || !end) return [];
    const [from, to] = end.column === "address" ? [end, middle] : [middle, end];
    return [{ key: `${from.key} ${to.key}`, from, to, isReady }];
  });
}

/** A path to a ready instance is usable, even if another instance behind the same address is not. */
function isReady(drawn: Drawn[], column: MapSpot["column"], name: string): boolean {
  const own = drawn.filter(({ instance, addresses, nodes }) =>
    column === "instance" ? instance === name : (column === "address" ? addresses : nodes).includes(name),
  );
  return own.some((each) => each.isReady);
}

/** In the order in which the instances use them, so that few lines cross. */
function inOrder(names: string[]): string[] {
  return [...new Set(names)];
}

const maxShort = 15;

/** shorten drops the middle of a name, because names of instances differ at their ends. An IPv4 address is kept. */
export function shorten(name: string): string {
  if (name.length <= maxShort) return name;
  const tail = Math.ceil((maxShort - 1) / 2);
  return `${name.slice(0, maxShort - 1 - tail)}…${name.slice(-tail)}`;
}
