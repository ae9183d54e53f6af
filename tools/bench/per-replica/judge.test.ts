import { expect, it } from "vitest";
import { type Compared, type Count, judge, type Least, type Took, type What } from "./judge.ts";

const some = (what: What, ...all: number[]): Took[] => all.map((ms) => ({ subject: "many", what, ms }));
const missed = (took: Took[], counts: Count[] = [], compared: Compared[] = [], least: Least = []) =>
  judge({ took, counts, compared }, least)
    .filter((each) => each.holds === false)
    .map((each) => `${each.metric}: ${each.bar}`);

it("allows 250 ms for each step of an instance's path", () => {
  expect(
    missed([...some("made", 900), ...some("running", 250), ...some("mapped", 250), ...some("whole", 900)]),
  ).toEqual([]);
  expect(missed(some("running", 10, 251))).toEqual([]);
  expect(missed(some("running", 251, 251))).toEqual(["pod Running → its Service created: p99 <= 250"]);
  expect(missed(some("mapped", 10, 600))).toEqual(["Service has its address → mapping served: p99 <= 250"]);
});

it("allows a minute for many at once, and 500 ms for one replaced among them", () => {
  expect(missed([...some("exposed", 60_000), ...some("replaced", 500)])).toEqual([]);
  expect(missed([...some("exposed", 60_001), ...some("replaced", 501)])).toEqual([
    "spec → all instances mapped: max <= 60000",
    "new pod has its address → mapping leads to it: p99 <= 500",
  ]);
});

it("misses its bar when rejected requests failed anything or were repeated without a pause", () => {
  const counts: Count[] = [
    { subject: "many", what: "turned away", value: 900 },
    { subject: "many", what: "turned away a second", value: 32 },
    { subject: "many", what: "failed", value: 1 },
  ];
  expect(missed([], counts)).toEqual([
    "requests rejected (429) per second: max <= 31",
    "attempts of the controller that failed because of it: max == 0",
  ]);
});

it("reports clusters as slower only if that is not random", () => {
  const rounds = (...p99s: number[]) => p99s.map((each) => [each]);
  const well = rounds(100, 100, 100, 100, 100, 100, 100, 100);
  const compared = (troubled: number[][]): Compared[] => [{ subject: "many", what: "whole", well, troubled }];
  expect(missed([], [], compared(rounds(90, 110, 95, 120, 98, 130, 99, 140)))).toEqual([]);
  expect(missed([], [], compared(rounds(110, 111, 112, 113, 114, 115, 116, 117)))).toHaveLength(1);
});

it("misses its bar if too little or nothing was measured", () => {
  const least = [{ subject: "many", what: "running" as const, times: 2 }];
  expect(missed(some("running", 1), [], [], least)).toEqual([
    "times measured: pod Running → its Service created: low >= 2",
  ]);
});
