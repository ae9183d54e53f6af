/** How many rows one request fetches. */
export const pageSize = 100;
/** How many pages of a list are cached. The least recently used is dropped first. */
export const maxPages = 24;

/** The pages that contain a range of rows. */
export function pagesOf(range: { first: number; last: number }): number[] {
  const from = Math.floor(Math.max(0, range.first) / pageSize);
  const to = Math.floor(Math.max(range.first, range.last, 0) / pageSize);
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

/** noteUse moves pages to the end of the usage order, and returns those to drop. */
export function noteUse(order: readonly number[], used: readonly number[]): { order: number[]; dropped: number[] } {
  const next = [...order.filter((page) => !used.includes(page)), ...used];
  const excess = Math.max(0, next.length - Math.max(maxPages, used.length));
  return { order: next.slice(excess), dropped: next.slice(0, excess) };
}
