import type { Result } from "./result.ts";

/** printTable prints results as a table; one of a smoke run has no bars. */
export function printTable(rows: Result[], hasBars: boolean): void {
  const head = [
    "subject",
    "metric",
    "n",
    "median",
    "95 % of median",
    "p99",
    "max",
    ...(hasBars ? ["bar", "holds"] : []),
  ];
  const body = rows.map((row) => [
    row.subject,
    `${row.metric} (${row.unit})`,
    String(row.n),
    short(row.median),
    `${short(row.low)} … ${short(row.high)}`,
    short(row.p99),
    short(row.max),
    ...(hasBars ? [row.bar ?? "", row.holds === null ? "" : row.holds ? "yes" : "MISSED"] : []),
  ]);
  const widths = head.map((title, i) => Math.max(title.length, ...body.map((cells) => cells[i]?.length ?? 0)));
  for (const cells of [head, widths.map((width) => "─".repeat(width)), ...body]) {
    console.log(cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("  "));
  }
}

function short(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
