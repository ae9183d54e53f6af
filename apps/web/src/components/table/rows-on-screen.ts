/** rowsOnScreen returns the indexes of the rows that are at least partly visible below the sticky header. */
export function rowsOnScreen(
  view: { scrollTop: number; clientHeight: number },
  heights: { head: number; row: number },
  total: number,
): number[] {
  const first = Math.floor(view.scrollTop / heights.row);
  const end = Math.ceil((view.scrollTop + view.clientHeight - heights.head) / heights.row);
  const last = Math.min(end, total);
  return Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i);
}
