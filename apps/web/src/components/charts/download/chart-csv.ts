import { csvLine } from "@fairlead/domain";
import type { ChartData } from "../data/chart-data.ts";
import type { Unit } from "../data/quantity.ts";

/** How values are named in files, in which they are not scaled. */
const unitNames: Record<Unit, string> = {
  ratio: "ratio",
  bytes: "bytes",
  bps: "bit/s",
  pps: "packets/s",
  perSecond: "1/s",
  count: "",
  ms: "ms",
  s: "s",
};

/**
 * chartCsv writes a row for each instant with a value. A line has a column, and two more for its minimum and maximum if
 * the points of the chart stand for several samples.
 */
export function chartCsv({ unit, lines, rows }: ChartData): string {
  const hasBands = rows.some(({ values, bands }) =>
    bands.some((band, i) => band !== null && (band[0] !== values[i] || band[1] !== values[i])),
  );
  const names = lines.map(({ title }) => (unitNames[unit] ? `${title} (${unitNames[unit]})` : title));
  const header = names.flatMap((name) => (hasBands ? [name, `${name} min`, `${name} max`] : [name]));
  const filled = rows.filter(({ values }) => values.some((value) => value !== null));
  const cells = filled.map(({ at, values, bands }) => [
    new Date(at).toISOString(),
    ...values.flatMap((value, i) => (hasBands ? [value, ...(bands[i] ?? [null, null])] : [value])),
  ]);
  return [["time", ...header], ...cells].map((row) => csvLine(row.map((cell) => cell ?? ""))).join("");
}
