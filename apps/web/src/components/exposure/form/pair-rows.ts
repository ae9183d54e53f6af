import { z } from "zod";

/** Labels as rows of a form. `key` only identifies rows while they are added and removed. */
export const pairRow = z.object({ key: z.string(), name: z.string(), value: z.string() });
export type PairRow = z.infer<typeof pairRow>;

export function emptyPair(rows: PairRow[]): PairRow {
  return { key: nextKey(rows), name: "", value: "" };
}

export function nextKey(rows: { key: string }[]): string {
  return String(rows.reduce((highest, row) => Math.max(highest, Number(row.key)), 0) + 1);
}

export function toPairs(map: Record<string, string>): PairRow[] {
  return Object.entries(map).map(([name, value], i) => ({ key: String(i + 1), name, value }));
}

/** toMap ignores added rows that are empty. */
export function toMap(rows: PairRow[]): Record<string, string> {
  const filled = rows.filter((row) => row.name.trim() || row.value.trim());
  return Object.fromEntries(filled.map((row) => [row.name.trim(), row.value.trim()]));
}
