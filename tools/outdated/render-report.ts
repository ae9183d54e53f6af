import type { Held } from "./hold.ts";
import type { Pin } from "./pin.ts";

export type Report = { behind: Pin[]; held: Held[]; failed: string[] };

/** renderReport writes what can be updated, what is held back and why, and what could not be looked up. */
export function renderReport({ behind, held, failed }: Report): string {
  const updates = behind.map(({ name, have, newest, where }) => [name, shorten(have), shorten(newest), where]);
  const reasons = held.map(({ name, have, newest, reason }) => [name, shorten(have), shorten(newest), reason]);
  return [
    section("Can be updated", ["name", "have", "newest", "where"], updates),
    section("Held back", ["name", "have", "newest", "why"], reasons),
    failed.length > 0 ? ["Not looked up", ...failed.map((line) => `  ${line}`)].join("\n") : "",
  ]
    .filter(Boolean)
    .join("\n\n");
}

/** shorten keeps a version that ends in a commit from widening the whole table. */
function shorten(version: string): string {
  return version.length > 20 ? `${version.slice(0, 19)}…` : version;
}

function section(title: string, header: string[], rows: string[][]): string {
  if (rows.length === 0) return `${title}: nothing`;
  const lines = [header, ...rows.toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1))];
  const widths = header.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const text = lines.map((line) => `  ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`);
  return [title, ...text.map((line) => line.trimEnd())].join("\n");
}
