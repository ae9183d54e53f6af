import { expect, test } from "vitest";
import { joinPages } from "./join-pages.ts";

const page = (...ids: string[]) => ({ items: ids.map((id) => ({ id })), total: ids.length, nextCursor: null });

test("a row that several lookups find is listed once, in the order of the first", () => {
  expect(joinPages([page("b", "a"), page("a", "c")])).toEqual([{ id: "b" }, { id: "a" }, { id: "c" }]);
});

test("nothing is listed until every lookup is answered, because a missing row would look like a missing route", () => {
  expect(joinPages([page("a"), undefined])).toBeUndefined();
});

test("without lookups, the list is empty", () => {
  expect(joinPages([])).toEqual([]);
});
