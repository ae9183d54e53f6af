/** How many rows one request fetches. */
export const pageSize = 100;
/** How many pages of a list are kept in memory; the one seen longest ago goes first. */
export const mostPages = 24;

/** The pages that a range of rows falls into. */
export function pagesOf(range: { first: number; last: number }): number[] {
  const from = Math.floor(Math.max(0, range.first) / pageSize);
  const to = Math.floor(Math.max(range.first, range.last, 0) / pageSize);
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

/** noteUse puts pages at the end of the order of use, and answers those that have to go. */
export function noteUse(order: readonly number[], used: readonly number[]): { order: number[]; dropped: number[] } {
  const next = [...order.filter((page) => !used.includes(page)), ...used];
  const excess = Math.max(0, next.length - Math.max(mostPages, used.length));
  return { order: next.slice(excess), dropped: next.slice(0, excess) };
}
