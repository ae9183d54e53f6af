import { describe, expect, it } from "vitest";
import { maxPages, noteUse, pagesOf } from "./window-pages.ts";

describe("the window over a long list", () => {
  it.each([
    ["the top", 0, 30, [0]],
    ["a range over the edge of two pages", 90, 120, [0, 1]],
    ["the end of ten thousand", 9_970, 9_999, [99]],
    ["nothing measured yet", 0, -1, [0]],
    ["rubber-banding above the top", -3, 20, [0]],
  ])("fetches the pages of %s", (_, first, last, want) => {
    expect(pagesOf({ first, last })).toEqual(want);
  });

  it("caches a bounded number of pages and drops the least recently used", () => {
    let order: number[] = [];
    let dropped: number[] = [];
    for (let page = 0; page < maxPages; page++) ({ order, dropped } = noteUse(order, [page]));
    expect(dropped).toEqual([]);
    ({ order, dropped } = noteUse(order, [0])); // seen again, so it is young
    ({ order, dropped } = noteUse(order, [99]));
    expect(dropped).toEqual([1]);
    expect(order).toHaveLength(maxPages);
    expect(order.slice(-2)).toEqual([0, 99]);
  });
});
