/** What the URL asks for, the tab that is shown if it asks for none, and the tab that is shown. */
export type TabState = { wanted: string | null; home: string; shown: string };

/**
 * nextTab returns the tab to show. Tabs that are added later, such as with the first report of a node, don't replace the
 * one that is shown: a form in it would lose its input.
 */
export function nextTab(before: TabState | null, wanted: string | null, ids: readonly string[]): TabState {
  if (before && before.wanted === wanted && ids.includes(before.home) && ids.includes(before.shown)) return before;
  const home = before && ids.includes(before.home) ? before.home : (ids[0] ?? "");
  const isKept = before?.wanted === wanted && ids.includes(before.shown);
  if (isKept) return { wanted, home, shown: before.shown };
  return { wanted, home, shown: wanted !== null && ids.includes(wanted) ? wanted : home };
}
