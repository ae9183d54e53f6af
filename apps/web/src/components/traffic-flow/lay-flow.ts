import { type FlowColumn, type FlowPlace, flowColumns, type TrafficFlow } from "@fairlead/domain/traffic-flow";

export type FlowLine = {
  key: string;
  from: FlowPlace;
  to: FlowPlace;
  /** An SVG path, in percent of the picture. */
  path: string;
  /** In pixels. */
  width: number;
  look: "measured" | "idle" | "unknown" | "broken";
  throughputBps: number | null;
};
export type LaidColumn = { column: FlowColumn; places: FlowPlace[] };
export type LaidFlow = { columns: LaidColumn[]; lines: FlowLine[]; rows: number };

/** The width of a place in percent of its column. Lines are drawn in the rest. */
export const placeWidth = 70;
const thinnest = 1.5;
const thickest = 12;

/** layFlow arranges places in columns, from clients on the left to backends on the right, and connects them. */
export function layFlow({ places, links }: Pick<TrafficFlow, "places" | "links">): LaidFlow {
  const columns = flowColumns
    .map((column) => ({ column, places: places.filter((each) => each.column === column) }))
    .filter((each) => each.places.length > 0);
  const spots = new Map<string, { place: FlowPlace; x: number; y: number }>();
  for (const [i, column] of columns.entries())
    for (const [j, place] of column.places.entries()) {
      const x = (100 * (i + 0.5)) / columns.length;
      spots.set(place.key, { place, x, y: (100 * (j + 0.5)) / column.places.length });
    }
  const half = placeWidth / 2 / columns.length;
  const most = Math.max(0, ...links.map((each) => each.throughputBps ?? 0));
  const lines = links.flatMap(({ from, to, throughputBps }): FlowLine[] => {
    const [start, end] = [spots.get(from), spots.get(to)];
    if (!start || !end) return [];
    const [x1, x2] = [start.x + half, end.x - half];
    const middle = (x1 + x2) / 2;
    const isBroken = !throughputBps && (start.place.state === "down" || end.place.state === "down");
    return [
      {
        key: `${from} ${to}`,
        from: start.place,
        to: end.place,
        path: `M${x1} ${start.y} C${middle} ${start.y} ${middle} ${end.y} ${x2} ${end.y}`,
        width: throughputBps ? thinnest + (thickest - thinnest) * (throughputBps / most) : thinnest,
        look: throughputBps ? "measured" : isBroken ? "broken" : throughputBps === null ? "unknown" : "idle",
        throughputBps,
      },
    ];
  });
  return { columns, lines, rows: Math.max(0, ...columns.map((each) => each.places.length)) };
}
