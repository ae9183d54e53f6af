import { expect, it } from "vitest";
import type { Renamed } from "./measured.ts";
import { judgeNames } from "./names.ts";

const all = { returns: 10_000, resumed: 10_000, sameBackend: 10_000 };
const renamed: Renamed = {
  ...{ every: 10, learned: 9.5, broken: 3 },
  ...{ before: all, between: { ...all, sameBackend: 4_000 }, after: { ...all, sameBackend: 9_990 } },
};
const missed = (one: Renamed) =>
  judgeNames([one], 10_000)
    .filter((row) => row.holds === false)
    .map((row) => row.metric);

it("holds the bars if 99.9 % return to their backend after a probe in time", () => {
  expect(missed(renamed)).toEqual([]);
  expect(judgeNames([], 0)).toEqual([]);
  expect(missed({ ...renamed, before: { returns: 0, resumed: 0, sameBackend: 0 } })).toEqual([]);
});

it("misses them for fewer returns at their backend, fewer returns, and a late probe", () => {
  expect(missed({ ...renamed, after: { ...all, sameBackend: 9_989 } })).toEqual([
    "returns at their backend after the new names were learned",
  ]);
  expect(missed({ ...renamed, after: { returns: 9_999, resumed: 9_999, sameBackend: 9_999 } })).toEqual([
    "returns after the new names were learned",
  ]);
  expect(missed({ ...renamed, learned: 16.1 })).toEqual(["until all new names were learned"]);
  expect(judgeNames([], 10_000).filter((row) => row.holds === false)).toHaveLength(1);
});
