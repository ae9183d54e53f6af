import { expect, it } from "vitest";
import { describeCut } from "./describe-cut.ts";

const page = (shown: number, total: number) => ({ items: Array.from({ length: shown }), total });

it.each([
  ["nothing for complete lookups", [page(50, 50), page(0, 0)], ""],
  ["nothing without lookups, or before their answers", [undefined], ""],
  ["the total of a single lookup", [page(50, 1_200)], "The first 50 of 1,200."],
  ["no total of several lookups, which may find the same rows", [page(50, 120), page(3, 3)], "The first 50 of each."],
])("describes %s", (_, pages, want) => {
  expect(describeCut(pages)).toBe(want);
});
