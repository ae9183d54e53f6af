import { expect, it } from "vitest";
import { type Freshness, freshness, givenUpAfterMs, silentAfterMs } from "./freshness.ts";

const now = new Date("2026-01-01T00:00:00Z");
const table: [expectedEveryMs: number, ageMs: number | null, want: Freshness][] = [
  [5_000, null, "never"],
  [5_000, 0, "live"],
  [5_000, -2_000, "live"], // the source's clock is ahead of ours
  [5_000, 10_000, "live"],
  [5_000, 10_001, "late"],
  [5_000, 15_000, "late"],
  [5_000, 15_001, "silent"],
  [1_000, 2_001, "late"],
  [1_000, 15_000, "late"], // a short gap of a fast reporter isn't silence
  [1_000, 15_001, "silent"],
  [60_000, 120_000, "live"],
  [60_000, 180_000, "late"],
  [60_000, 180_001, "silent"],
];

it.each(table)("a source that reports every %i ms, last %s ms ago, is %s", (expectedEveryMs, ageMs, want) => {
  const observedAt = ageMs === null ? null : new Date(now.getTime() - ageMs);
  expect(freshness(observedAt, expectedEveryMs, now)).toBe(want);
});

it.each([
  [1_000, 15_000, 60_000],
  [5_000, 15_000, 60_000],
  [30_000, 90_000, 90_000],
  [300_000, 900_000, 900_000],
])(
  "a source that reports every %i ms counts as silent after %i ms, and is given up after %i ms",
  (everyMs, silent, givenUp) => {
    expect([silentAfterMs(everyMs), givenUpAfterMs(everyMs)]).toEqual([silent, givenUp]);
  },
);
