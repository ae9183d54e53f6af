import { expect, it } from "vitest";
import { shareText } from "./share-text.ts";

it.each([
  [1, "100 %"],
  [0.99999, "99.9 %"],
  [0.994, "99.4 %"],
  [0.5, "50 %"],
  [0.0421, "4.2 %"],
  [0.00001, "0.1 %"],
  [0, "0 %"],
])("writes %d as %s", (share, text) => {
  expect(shareText(share)).toBe(text);
});
