import { expect, it } from "vitest";
import { shareOut } from "./share-out.ts";

it.each([
  [
    [1, 1],
    [0.5, 0.5],
  ],
  [
    [3, 1],
    [0.75, 0.25],
  ],
  [
    [0, 0],
    [null, null],
  ],
  [
    [5, null],
    [1, null],
  ],
  [[null], [null]],
  [[], []],
])("shares out %j", (parts, shares) => {
  expect(shareOut(parts)).toEqual(shares);
});
