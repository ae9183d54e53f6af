import { expect, it } from "vitest";
import { rowsOnScreen } from "./rows-on-screen.ts";

const heights = { head: 30, row: 40 };

it.each([
  ["at the top", 0, 230, 100, [0, 1, 2, 3, 4]],
  ["between rows, including partly visible ones", 60, 230, 100, [1, 2, 3, 4, 5, 6]],
  ["at the end", 3_800, 230, 100, [95, 96, 97, 98, 99]],
  ["of a list that is shorter than the screen", 0, 230, 2, [0, 1]],
  ["of an empty list", 0, 230, 0, []],
])("the rows on screen %s", (_, scrollTop, clientHeight, total, want) => {
  expect(rowsOnScreen({ scrollTop, clientHeight }, heights, total)).toEqual(want);
});
