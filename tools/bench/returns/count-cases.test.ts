import { expect, it } from "vitest";
import { countCases } from "./count-cases.ts";

it.each([
  ["every", [], undefined, 72],
  ["few", [], undefined, 18],
  ["one", [], undefined, 6],
  ["every", ["loss"], undefined, 12],
  ["few", ["loss", "replicas"], undefined, 6],
  ["every", [], { from: 13, to: 24 }, 12],
  ["every", [], { from: 61, to: 100 }, 12],
  ["every", [], { from: 80, to: 90 }, 0],
] as const)("counts the cases of %s, with changes %j, part %j", (form, changes, part, want) => {
  expect(countCases(form, changes, part)).toBe(want);
});
