import { count } from "../words/numbers.ts";

type Answer = { items: readonly unknown[]; total: number };

/** describeCut returns how many rows of lookups are shown; empty if all are. */
export function describeCut(pages: readonly (Answer | undefined)[]): string {
  const cut = pages.flatMap((page) => (page && page.items.length < page.total ? [page] : []));
  const [only] = cut;
  if (!only) return "";
  if (pages.length === 1) return `The first ${count(only.items.length)} of ${count(only.total)}.`;
  // A row that several lookups find counts once, so their totals can't be added.
  return `The first ${count(Math.max(...cut.map(({ items }) => items.length)))} of each.`;
}
