import { expect, it } from "vitest";
import { explain, judge, type Scaled } from "./judge.ts";

const answers = (count: number, millis = 5) => Array.from({ length: count }, () => millis);
const scaled = (queries: Partial<Scaled["asked"][number]> = {}): Scaled => ({
  round: 0,
  speakers: 100,
  prefixes: 1_000,
  loadSeconds: 9,
  kernelSeconds: 12,
  withdrawSeconds: 6,
  idleBytes: 30e6,
  reflectorBytes: 250e6,
  routerBytes: 200e6,
  reflectorMostBytes: 260e6,
  routerMostBytes: 210e6,
  reflectorCpuSeconds: { loading: 4, withdrawing: 2 },
  routerCpuSeconds: { loading: 5, withdrawing: 3 },
  asked: [
    { role: "reflector", phase: "loading", millis: answers(300), failed: 0, ...queries },
    { role: "router", phase: "withdrawing", millis: answers(300), failed: 0 },
  ],
});
const missed = (all: Scaled[], rounds = 1) =>
  judge(all, { rounds, answers: 300 })
    .filter((each) => each.holds === false)
    .map((each) => each.metric);

it("passes if queries are answered in time while routes are added and removed", () => {
  expect(missed([scaled()])).toEqual([]);
  expect(missed([scaled({ millis: [...answers(290), ...answers(10, 201)] })])).toEqual([
    "an answer of the reflector while loading",
  ]);
});

it("misses its bar if a query failed, there were too few, or nothing was measured", () => {
  expect(missed([scaled({ failed: 1 })])).toEqual(["queries without an answer"]);
  const few = scaled();
  expect(missed([{ ...few, asked: few.asked.map((each) => ({ ...each, millis: answers(10) })) }])).toEqual([
    "answers while routes were added and removed",
  ]);
  expect(missed([scaled()], 2)).toEqual(["times it was measured"]);
  expect(missed([])).toEqual(["times it was measured"]);
});

it("reports why the last failed query failed", () => {
  expect(explain([scaled({ failed: 1, problem: "the router has ended" })])).toContain(
    "round 1, the reflector while loading: the router has ended",
  );
});
