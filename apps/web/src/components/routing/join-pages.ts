import type { Page } from "@fairlead/domain";

/** joinPages returns the rows of several lookups, each row once; undefined until every lookup is answered. */
export function joinPages<Item extends { id: string }>(pages: (Page<Item> | undefined)[]): Item[] | undefined {
  const rows = new Map<string, Item>();
  for (const page of pages) {
    if (!page) return undefined;
    for (const item of page.items) rows.set(item.id, item);
  }
  return [...rows.values()];
}
