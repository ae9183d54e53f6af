import type { LinkCounts, LinkState, Topology, TopologyPlace } from "@fairlead/domain/routing";
import { formatQuantity } from "../charts/data/quantity.ts";
import { count, percent } from "../words/numbers.ts";

export type Spot = {
  place: TopologyPlace;
  name: string;
  /** In percent of the picture. */
  x: number;
  y: number;
  state: LinkState;
  /** The measured share of flows, or why it is unknown. */
  note: string;
};
export type Line = { key: string; from: Spot; to: Spot; state: LinkState };
export type Stream = { key: string; from: Spot; to: Spot; isStale: boolean; share: number; label: string };
export type Picture = { titles: string[]; rows: number; spots: Spot[]; lines: Line[]; streams: Stream[] };

const columns = ["router", "reflector", "speaker"] as const;
const titles = { router: "Routers", reflector: "Reflectors", speaker: "Balancers" };
const nounOf = { router: "routers", reflector: "reflectors", speaker: "balancers" };

/** layTopology arranges nodes in columns, from routers on the left to balancers on the right, and connects them. */
export function layTopology({ places, links, flows }: Pick<Topology, "places" | "links" | "flows">): Picture {
  const filled = columns
    .map((column) => places.filter((each) => each.column === column))
    .filter((members) => members.length > 0);
  const spots = new Map<string, Spot>();
  for (const [i, members] of filled.entries())
    for (const [j, place] of members.entries()) {
      const state = worst(links.filter(({ from, to }) => from === place.key || to === place.key));
      const name = place.name || `${count(place.size)} ${nounOf[place.column]}`;
      const [x, y] = [(100 * (i + 0.5)) / filled.length, (100 * (j + 0.5)) / members.length];
      spots.set(place.key, { place, name, x, y, state, note: noteOf(place, flows) });
    }
  const joined = <Edge extends { from: string; to: string }, Drawn>(
    edges: readonly Edge[],
    draw: (edge: Edge, between: { key: string; from: Spot; to: Spot }) => Drawn,
  ) =>
    edges.flatMap((edge) => {
      const [from, to] = [spots.get(edge.from), spots.get(edge.to)];
      return from && to ? [draw(edge, { key: `${edge.from} ${edge.to}`, from, to })] : [];
    });
  return {
    titles: filled.map(([first]) => (first ? titles[first.column] : "")),
    rows: Math.max(0, ...filled.map((members) => members.length)),
    spots: [...spots.values()],
    lines: joined(links, (link, between) => ({ ...between, state: stateOf(link) })),
    streams: joined(flows, ({ isStale, share }, between) => ({
      ...between,
      isStale,
      share: share ?? 0,
      label: share === null ? "" : percent(share),
    })),
  };
}

export function stateOf({ down, stale }: LinkCounts): LinkState {
  if (down > 0) return "down";
  return stale > 0 ? "stale" : "up";
}

function worst(links: readonly LinkCounts[]): LinkState {
  return stateOf({
    up: 0,
    down: links.reduce((sum, { down }) => sum + down, 0),
    stale: links.reduce((sum, { stale }) => sum + stale, 0),
  });
}

function noteOf({ key, column, nodeId, size }: TopologyPlace, flows: Topology["flows"]): string {
  const [first, ...others] = flows.filter(({ to }) => to === key);
  if (first) {
    // A balancer's traffic is one value for all routers. Their shares are shown at the lines.
    const came = first.throughputBps === null ? "not measured" : formatQuantity(first.throughputBps, "bps");
    const part = others.length > 0 || first.measuredShare === null ? "" : ` (${percent(first.measuredShare)})`;
    return `${came}${part}`;
  }
  if (column === "speaker") return "no flows";
  return nodeId === null && size === 1 ? "external" : "";
}
