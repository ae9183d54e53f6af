import { expect, it } from "vitest";
import { lookAgainAfterMs } from "../exposure/look-again.ts";
import { dampenEvents } from "./dampen-events.ts";

const now = new Date("2026-11-20T12:00:00Z");
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

it.each([
  ["the first time", [], null, "record"],
  ["the third time", [minutesAgo(1), minutesAgo(2)], null, "record"],
  ["the fourth time within ten minutes", [minutesAgo(1), minutesAgo(2), minutesAgo(3)], null, "record-flapping"],
  ["while already recorded as flapping", [minutesAgo(1)], minutesAgo(2), "hold"],
  ["after a quiet period", [minutesAgo(11), minutesAgo(12), minutesAgo(13)], minutesAgo(11), "record"],
] as const)("an event %s: %s", (_name, earlier, flappingRecordedAt, want) => {
  expect(dampenEvents(earlier, flappingRecordedAt, now)).toBe(want);
});

it("checks what isn't ready soon at first and rarely later, within bounds", () => {
  expect([0, 20, 10_000].map((seconds) => lookAgainAfterMs(new Date(now.getTime() - seconds * 1_000), now))).toEqual([
    2_000, 5_000, 30_000,
  ]);
});
