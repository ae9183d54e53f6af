import { expect, it } from "vitest";
import { timeTicks, valueTicks } from "./ticks.ts";

it("starts at zero and ends at a round figure above the largest", () => {
  expect(valueTicks(3, 97, "count")).toEqual([0, 25, 50, 75, 100]);
  expect(valueTicks(0.01, 0.031, "ratio")).toEqual([0, 0.01, 0.02, 0.03, 0.04]);
  expect(valueTicks(0, 1, "ratio")).toEqual([0, 0.25, 0.5, 0.75, 1]);
});

it("steps in powers of 1024 for bytes", () => {
  const gib = 1024 ** 3;
  expect(valueTicks(0, 3.5 * gib, "bytes")).toEqual([0, gib, 2 * gib, 3 * gib, 4 * gib]);
});

it("draws an axis for constant values", () => {
  expect(valueTicks(0, 0, "perSecond")).toEqual([0, 0.25, 0.5, 0.75, 1]);
  expect(valueTicks(0, 0, "ratio")).toEqual([0, 0.01, 0.02, 0.03, 0.04]);
});

it("returns round instants, never more than requested", () => {
  const from = Date.parse("2026-11-20T12:03:00Z");
  const to = Date.parse("2026-11-20T13:03:00Z");
  const ticks = timeTicks(from, to, 7);
  expect(ticks.map((tick) => new Date(tick).toISOString().slice(11, 16))).toEqual([
    "12:10",
    "12:20",
    "12:30",
    "12:40",
    "12:50",
    "13:00",
  ]);
  for (const most of [2, 3, 5, 9]) expect(timeTicks(from, to, most).length).toBeLessThanOrEqual(most + 1);
});
