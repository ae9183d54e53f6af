import { expect, it } from "vitest";
import { explain, judge, parseLines, type Took, type What } from "./judge.ts";

const some = (subject: string, what: What, ...all: number[]): Took[] => all.map((ms) => ({ subject, what, ms }));
const least = { changes: 2, kills: 1, freezes: 1, answers: 1, newReplicas: 1 };
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

it("applies bars in milliseconds to the Fairlead router", () => {
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

it("misses its bar if a next hop changed without a cause", () => {
  expect(missed(good, least, 1)).toEqual(["next hop changes without a cause: max == 0"]);
});

it("misses a second bar if a change waited for a timer", () => {
  expect(missed(instead("frozen", 2_400))).toEqual([
    "speaker frozen, BFD 100 ms × 3 → out of the kernel: p99 <= 500",
    "changes that took longer than 1500 ms: max == 0",
  ]);
  expect(missed(instead("held", 2_400))).toEqual([]);
});

it("misses its bar if too little or nothing was measured", () => {
  expect(missed(good, { changes: 3, kills: 2, freezes: 2, answers: 2, newReplicas: 2 })).toEqual([
    "changes that were measured: low >= 3",
    "kills that were measured: low >= 2",
    "freezes that were measured: low >= 2",
    "backends that were measured: low >= 2",
    "new replicas that were measured: low >= 2",
  ]);
  expect(judge({ took: [], counts: [] }, ["FRR"], least).map((each) => each.holds)).toEqual([false, false, false]);
});

it("applies looser bars to FRR, and none to BIRD", () => {
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

it("parses the output, and rejects unknown lines", () => {
  const [one] = good;
  expect(parseLines(`${JSON.stringify({ took: one })}\n`)).toEqual({ took: [one], counts: [], leftOut: [] });
  expect(() => parseLines('{"turned":{}}')).toThrow(/Unknown line/);
});

it("reports what was skipped and why", () => {
  const notes = explain({ took: good, counts: [], leftOut: [{ subject: "BIRD", reason: "it isn't there" }] });
  expect(notes).toContain("BIRD was not measured: it isn't there");
});
