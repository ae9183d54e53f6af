import { shareOut } from "../experiment/share-out.ts";
import {
  type FlowColumn,
  type FlowLink,
  type FlowPlace,
  type FlowState,
  flowColumns,
  type TrafficFlow,
} from "./traffic-flow.ts";

/** Per column. More are unreadable, so the smallest become one place. */
export const mostOfColumn = 8;

export type FlowPart = Omit<FlowPlace, "share" | "size" | "backends">;

/** groupFlow reduces each column to what can be read: what has a problem and the largest stay, the rest is one place. */
export function groupFlow(
  parts: readonly FlowPart[],
  edges: readonly FlowLink[],
): Pick<TrafficFlow, "places" | "links"> {
  const places: FlowPlace[] = [];
  const placeOf = new Map<string, string>();
  for (const column of flowColumns) {
    const members = parts.filter((each) => each.column === column).sort(byName);
    const shares = isMeasured(members) ? shareOut(members.map((each) => each.throughputBps)) : [];
    const all = members.map((each, i) => ({ ...each, size: 1, share: shares[i] ?? null, backends: null }));
    const kept = new Set(all.length > mostOfColumn ? all.toSorted(byTrouble).slice(0, mostOfColumn - 1) : all);
    const rest = all.filter((each) => !kept.has(each));
    for (const each of kept) placeOf.set(each.key, each.key);
    for (const each of rest) placeOf.set(each.key, restKey(column));
    places.push(...all.filter((each) => kept.has(each)), ...restOf(column, rest));
  }
  return { places, links: mergeLinks(edges, placeOf) };
}

const restKey = (column: FlowColumn): string => `${column}/rest`;

/** The worst first. */
const badness: readonly FlowState[] = ["down", "silent", "degraded", "pending", "unknown", "draining", "up", "none"];

function worse(a: FlowState, b: FlowState): number {
  return badness.indexOf(a) - badness.indexOf(b);
}

function bySize(a: FlowPart, b: FlowPart): number {
  return (b.throughputBps ?? -1) - (a.throughputBps ?? -1) || byName(a, b);
}

/** Places keep their order while their traffic changes; only networks are in the order of their traffic already. */
function byName(a: FlowPart, b: FlowPart): number {
  if (a.column === "client") return 0;
  return a.name.localeCompare(b.name, "en", { numeric: true }) || (a.key < b.key ? -1 : 1);
}

function byTrouble(a: FlowPart, b: FlowPart): number {
  return worse(a.state, b.state) || bySize(a, b);
}

function restOf(column: FlowColumn, rest: readonly FlowPlace[]): FlowPlace[] {
  const [first] = rest;
  if (!first) return [];
  return [
    {
      key: restKey(column),
      column,
      kind: first.kind,
      id: null,
      name: "",
      size: rest.length,
      throughputBps: isMeasured(rest) ? sum(rest.map((each) => each.throughputBps)) : null,
      share: sum(rest.map((each) => each.share)),
      dropsPerSecond: sum(rest.map((each) => each.dropsPerSecond)),
      state: rest.map((each) => each.state).sort(worse)[0] ?? "unknown",
      backends: null,
    },
  ];
}

/** These have no traffic to measure. */
const idleStates: readonly FlowState[] = ["down", "silent", "pending"];

/** With an unknown part, a sum is unknown. */
function isMeasured(parts: readonly FlowPart[]): boolean {
  return parts.every((each) => each.throughputBps !== null || idleStates.includes(each.state));
}

function mergeLinks(edges: readonly FlowLink[], placeOf: ReadonlyMap<string, string>): FlowLink[] {
  const moved = edges.flatMap(({ from, to, throughputBps }) => {
    const ends = { from: placeOf.get(from), to: placeOf.get(to) };
    return ends.from === undefined || ends.to === undefined ? [] : [{ from: ends.from, to: ends.to, throughputBps }];
  });
  return [...Map.groupBy(moved, ({ from, to }) => `${from} ${to}`).values()].flatMap((joined) => {
    const [first] = joined;
    const bps = sumOfAll(joined.map((each) => each.throughputBps));
    return first ? [{ ...first, throughputBps: bps }] : [];
  });
}

/** sum is null if nothing was measured. */
export function sum(values: readonly (number | null)[]): number | null {
  const measured = values.filter((each) => each !== null);
  return measured.length === 0 ? null : measured.reduce((all, each) => all + each, 0);
}

/** sumOfAll is null if a part is unknown. */
export function sumOfAll(values: readonly (number | null)[]): number | null {
  return values.includes(null) ? null : sum(values);
}
