import { expect, it } from "vitest";
import { failing } from "../result.ts";
import { type Compared, type Count, judge, type Took, type What } from "./judge.ts";

const some = (what: What, ...all: number[]): Took[] => all.map((ms) => ({ subject: "many", what, ms }));
const missed = (took: Took[], counts: Count[] = [], compared: Compared[] = []) =>
  judge({ took, counts, compared }, [])
    .filter((each) => each.holds === false)
    .map((each) => `${each.metric}: ${each.bar}`);

it("holds each step of an instance's way to a quarter of a second", () => {
  expect(
    missed([...some("made", 900), ...some("running", 250), ...some("mapped", 250), ...some("whole", 900)]),
  ).toEqual([]);
  expect(missed(some("running", 10, 251))).toEqual([]);
  expect(missed(some("running", 251, 251))).toEqual(["pod Running → its Service there: p99 <= 250"]);
  expect(missed(some("mapped", 10, 600))).toEqual(["Service has its address → mapping served: p99 <= 250"]);
});

it("holds many at once to a minute, and the one among them to half a second", () => {
  expect(missed([...some("exposed", 60_000), ...some("replaced", 500)])).toEqual([]);
  expect(missed([...some("exposed", 60_001), ...some("replaced", 501)])).toEqual([
    "wish → all instances mapped: max <= 60000",
    "new pod has its address → mapping leads to it: p99 <= 500",
  ]);
});

it("misses its bar, in the short form too, when being turned away failed anything or was answered by pressing on", () => {
  const counts: Count[] = [
    { subject: "many", what: "turned away", value: 900 },
    { subject: "many", what: "turned away a second", value: 32 },
    { subject: "many", what: "failed", value: 1 },
  ];
  const results = judge({ took: [], counts, compared: [] }, []);
  expect(failing(results, true).map((each) => each.metric)).toEqual([
    "requests turned away (429) in a second",
    "attempts of the controller that failed because of it",
  ]);
});

it("finds clusters slower only where that is more than chance", () => {
  const rounds = (...p99s: number[]) => p99s.map((each) => [each]);
  const well = rounds(100, 100, 100, 100, 100, 100, 100, 100);
  const compared = (troubled: number[][]): Compared[] => [{ subject: "many", what: "whole", well, troubled }];
  expect(missed([], [], compared(rounds(90, 110, 95, 120, 98, 130, 99, 140)))).toEqual([]);
  expect(missed([], [], compared(rounds(110, 111, 112, 113, 114, 115, 116, 117)))).toHaveLength(1);
});

it("misses its bar when too little was measured, or nothing", () => {
  const least = [{ subject: "many", what: "running" as const, times: 2 }];
  const results = judge({ took: some("running", 1), counts: [], compared: [] }, least);
  expect(failing(results, true).map((each) => each.metric)).toEqual([
    "times measured: pod Running → its Service there",
  ]);
});
