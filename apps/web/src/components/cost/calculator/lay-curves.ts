import type { Curve, Estimate } from "@fairlead/domain/cost";
import { placeKey } from "./words.ts";

export type CostLine = { key: string; title: string /** The same in a few words. */; values: (number | null)[] };
export type CostLines = { mbps: number[]; lines: CostLine[]; low: number; high: number };

/** More lines than this are unreadable. */
const maxLines = 6;

/**
 * layCurves selects the lines to draw: the recommended options, then those being compared, then those that are cheapest
 * somewhere.
 */
export function layCurves(
  curves: readonly Curve[],
  { options, advice }: Estimate,
  compared: readonly string[],
): CostLines {
  const named = new Map(options.map((option) => [placeKey(option), option]));
  const [first] = curves;
  const mbps = first?.points.map(({ averageMbps }) => averageMbps) ?? [];
  const envelope = mbps.flatMap((_, i) => cheapestAt(curves, i) ?? []);
  const recommended = [advice.proven, advice.likely].flatMap((place) => (place ? [placeKey(place)] : []));
  const wanted = [...new Set([...recommended, ...compared, ...envelope])].slice(0, maxLines);
  const lines = wanted.flatMap((key) => {
    const curve = curves.find((each) => placeKey(each) === key);
    const option = named.get(key);
    if (!curve || !option) return [];
    const values = curve.points.map(({ monthlyMicros }) => monthlyMicros);
    const name = option.region === "any" ? option.product : `${option.product}, ${option.region}`;
    const title = values.every((value) => !value) ? `${name}: free` : name;
    return [{ key, title, values }];
  });
  const known = lines.flatMap(({ values }) => values.filter((value): value is number => value !== null && value > 0));
  // If all options are free, any scale will do.
  return known.length > 0
    ? { mbps, lines, low: Math.min(...known), high: Math.max(...known) }
    : { mbps, lines, low: 1_000_000, high: 100_000_000 };
}

function cheapestAt(curves: readonly Curve[], i: number): string | null {
  let best: Curve | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const curve of curves) {
    const micros = curve.points[i]?.monthlyMicros ?? Number.POSITIVE_INFINITY;
    if (micros < least) [best, least] = [curve, micros];
  }
  return best ? placeKey(best) : null;
}

/** decades returns the powers of ten in a range, with their multiples by two and five if there are few. */
export function decades(low: number, high: number): number[] {
  const first = Math.floor(Math.log10(low));
  const last = Math.ceil(Math.log10(high));
  const few = last - first <= 3;
  const leads = few ? [1, 2, 5] : [1];
  const all = Array.from({ length: last - first + 1 }, (_, i) => leads.map((lead) => lead * 10 ** (first + i))).flat();
  return all.filter((tick) => tick >= low * 0.999 && tick <= high * 1.001);
}
