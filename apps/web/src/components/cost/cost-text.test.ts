import { expect, it } from "vitest";
import { costText } from "./cost-text.ts";

it.each([
  [{ micros: 1_234_567, knownShare: 1 }, true, "$1.23"],
  [{ micros: 1_234_567, knownShare: 0.5 }, true, "≥ $1.23"],
  [{ micros: 1_234_567, knownShare: 1 }, false, "$1.23 shared"],
  [{ micros: 0, knownShare: 0 }, true, "unknown"],
  [{ micros: 0, knownShare: 1 }, true, "$0.00"],
])("writes %j, its own %s, as %s", (cost, isItsOwn, text) => {
  expect(costText(cost, "USD", isItsOwn)).toBe(text);
});
