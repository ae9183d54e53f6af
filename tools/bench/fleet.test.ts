import { expect, it } from "vitest";
import { ratesOf } from "./fleet.ts";

it("calculates a fleet's rate between two lines, but not up to its summary", () => {
  const line = (measuredSeconds: number, pointsAcked: number, summary = false) => ({
    measuredSeconds,
    pointsAcked,
    summary,
  });
  expect(ratesOf([line(0, 0), line(0, 0), line(2, 10), line(4, 50), line(9, 90, true)])).toEqual([5, 20]);
  expect(ratesOf([line(2, 10)])).toEqual([]);
});
