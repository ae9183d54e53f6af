import type { CostGroup } from "@fairlead/domain";
import { expect, it } from "vitest";
import { sumDays } from "./sum-days.ts";

const day = (n: number) => new Date(Date.UTC(2026, 10, n));
const group = (balancerHours: number, points: [day: number, micros: number, knownShare: number][]): CostGroup => ({
  ...{
    id: null,
    name: "",
    balancers: 1,
    balancerHours,
    micros: 0,
    knownShare: 0,
    instance: null,
    reasons: [],
    breakdown: [],
  },
  points: points.map(([n, micros, knownShare]) => ({ at: day(n), micros, knownShare })),
});

it("adds up each day, in order, as known as those are that were there longest", () => {
  const days = sumDays([
    group(48, [
      [2, 20, 1],
      [1, 10, 1],
    ]),
    group(72, [[1, 5, 0]]),
  ]);
  expect(days).toEqual([
    { at: day(1), micros: 15, knownShare: 0.25 },
    { at: day(2), micros: 20, knownShare: 1 },
  ]);
});
