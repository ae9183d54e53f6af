import { expect, it } from "vitest";
import { pausedCondition } from "./paused-condition.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 12, minute));
const paused = { pausedAt: at(5), observedAt: at(6), generation: 2, observedGeneration: 2 };

it.each([
  ["is absent for an exposure that is not paused", { pausedAt: null }, null],
  ["is unknown while the last observation is older", { observedAt: at(4) }, "unknown"],
  ["is unknown before the first observation", { observedAt: null }, "unknown"],
  ["is true once it was observed since", {}, "true"],
])("%s", (_, other, status) => {
  expect(pausedCondition({ ...paused, ...other })?.status ?? null).toBe(status);
});

it("has the time of the pause, and states that edits of the spec wait", () => {
  expect(pausedCondition({ ...paused, generation: 3 })).toEqual({
    ...{ type: "Paused", status: "true", reason: "Paused", changedAt: at(5) },
    message: "Nothing is changed or repaired until it is resumed. The newest spec is applied then.",
  });
});
