import { expect, it } from "vitest";
import { failing } from "../result.ts";
import { explain, judge, parseLines, type Took, type What } from "./judge.ts";

const some = (subject: string, what: What, ...all: number[]): Took[] => all.map((ms) => ({ subject, what, ms }));
const least = { changes: 2, kills: 1, freezes: 1, answers: 1, newcomers: 1 };
const good = [
  ...some("Fairlead", "announced", 2),
  ...some("Fairlead", "withdrawn", 3),
  ...some("Fairlead", "killed", 8),
  ...some("Fairlead", "frozen", 260),
  ...some("Fairlead", "answered", 150),
  ...some("Fairlead", "joined", 90),
];
const missed = (took: Took[], of = least, counts = 0) =>
  judge({ took, counts: [{ subject: "Fairlead", what: "astray", count: counts }] }, ["Fairlead"], of)
    .filter((each) => each.holds === false)
    .map((each) => `${each.metric}: ${each.bar}`);
const instead = (what: What, ...all: number[]) => [
  ...good.filter((each) => each.what !== what),
  ...some("Fairlead", what, ...all),
];

it("holds our router to milliseconds", () => {
  expect(missed(good)).toEqual([]);
  expect(missed(instead("announced", 6))).toEqual(["announced → in the kernel: median <= 5"]);
  expect(missed(instead("withdrawn", 3, 3, 26))).toEqual(["withdrawn → out of the kernel: p99 <= 25"]);
  expect(missed(instead("killed", 51))).toEqual(["speaker killed → out of the kernel: p99 <= 50"]);
  expect(missed(instead("frozen", 501))).toEqual(["speaker frozen, BFD 100 ms × 3 → out of the kernel: p99 <= 500"]);
  expect(missed(instead("answered", 301))).toEqual([
    "backend ready → first request answered through its replica: p99 <= 300",
  ]);
  expect(missed(instead("joined", 301))).toEqual(["new replica ready → first request answered through it: p99 <= 300"]);
});

it("misses its bar when a next hop came or went that nobody ordered", () => {
  expect(missed(good, least, 1)).toEqual(["next hops that came or went unasked: max == 0"]);
});

it("misses its bar on a busy machine too when a change waited for a timer", () => {
  const late = judge({ took: instead("frozen", 2_400), counts: [] }, ["Fairlead"], least);
  expect(failing(late, true).map((each) => each.metric)).toEqual(["changes that took longer than 1500 ms"]);
  expect(failing(judge({ took: instead("held", 2_400), counts: [] }, ["Fairlead"], least), true)).toEqual([]);
});

it("misses its bar when too little was measured, or nothing", () => {
  expect(missed(good, { changes: 3, kills: 2, freezes: 2, answers: 2, newcomers: 2 })).toEqual([
    "changes that were measured: low >= 3",
    "kills that were measured: low >= 2",
    "freezes that were measured: low >= 2",
    "backends that were measured: low >= 2",
    "new replicas that were measured: low >= 2",
  ]);
  expect(judge({ took: [], counts: [] }, ["FRR"], least).map((each) => each.holds)).toEqual([false, false, false]);
});

it("holds FRR to what it can do, and BIRD to nothing", () => {
  const bars = judge(
    {
      took: [...some("FRR", "announced", 251), ...some("BIRD", "announced", 251), ...some("FRR", "killed", 900)],
      counts: [{ subject: "FRR", what: "astray", count: 1 }],
    },
    [],
    least,
  );
  expect(bars.filter((each) => each.bar).map((each) => [each.subject, each.bar, each.holds])).toEqual([
    ["FRR", "p99 <= 250", false],
  ]);
});

it("reads what was printed, and refuses what it doesn't know", () => {
  const [one] = good;
  expect(parseLines(`${JSON.stringify({ took: one })}\n`)).toEqual({ took: [one], counts: [], leftOut: [] });
  expect(() => parseLines('{"turned":{}}')).toThrow(/nothing that is known/);
});

it("says what was left out and why", () => {
  const said = explain({ took: good, counts: [], leftOut: [{ subject: "BIRD", reason: "it isn't there" }] });
  expect(said).toContain("BIRD wasn't measured: it isn't there");
});
