import { expect, it } from "vitest";
import { changeLabels, parseNames } from "./change-labels.ts";

it("sets and removes labels, and keeps the others", () => {
  const before = { team: "a", tier: "front", old: "1" };
  expect(changeLabels(before, { set: { team: "b", zone: "x" }, remove: ["old", "none"] })).toEqual({
    ...{ team: "b", tier: "front", zone: "x" },
  });
});

it("reads names separated by commas or lines", () => {
  expect(parseNames(" team, tier\nzone ,,")).toEqual(["team", "tier", "zone"]);
});
