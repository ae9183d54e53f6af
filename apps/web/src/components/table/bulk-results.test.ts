import { expect, it } from "vitest";
import { type BulkResult, splitFailed } from "./bulk-results.ts";

const rows = ["a", "b", "c", "d"].map((id) => ({ id }));

it("separates the rows that failed from those that are done or were not reached", () => {
  const results = new Map<string, BulkResult>([
    ["a", { isDone: true }],
    ["b", { isDone: false, message: "No free address." }],
    ["d", { isDone: false, message: "No free address." }],
  ]);
  expect(splitFailed(rows, results)).toEqual({
    failed: [{ id: "b" }, { id: "d" }],
    others: [{ id: "a" }, { id: "c" }],
  });
});

it("has none before the first run", () => {
  expect(splitFailed(rows, new Map())).toEqual({ failed: [], others: rows });
});
