import { expect, it } from "vitest";
import { moveBy } from "./move-by.ts";

const size = { total: 10_000, screen: 18 };

it.each([
  ["ArrowDown", 0, 1],
  ["ArrowDown", 9_999, 9_999],
  ["ArrowUp", 0, 0],
  ["PageDown", 10, 28],
  ["PageUp", 10, 0],
  ["Home", 5_000, 0],
  ["End", 0, 9_999],
  ["x", 5, null],
] as const)("%s from row %d leads to %s", (key, from, want) => {
  expect(moveBy(key, from, size)).toBe(want);
});
