import { expect, it } from "vitest";
import { PageLimit } from "./page-limit.ts";

it("rejects a list that loops", () => {
  const pages = new PageLimit(10);
  pages.next("a");
  pages.next("b");
  expect(() => pages.next("a")).toThrow("a page links back to an earlier one");
});

it("rejects a list with too many pages", () => {
  const pages = new PageLimit(3);
  pages.next("a");
  pages.next("b");
  expect(() => pages.next("c")).toThrow("more than 3 pages");
});
