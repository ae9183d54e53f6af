import { expect, it, vi } from "vitest";
import { drawSoon } from "./draw-queue.ts";

it("draws one chart after the other, and skips cancelled ones", () => {
  vi.useFakeTimers();
  const drawn: string[] = [];
  drawSoon(() => drawn.push("a"));
  const giveUp = drawSoon(() => drawn.push("b"));
  drawSoon(() => drawn.push("c"));
  giveUp();
  vi.advanceTimersToNextTimer();
  expect(drawn).toEqual(["a"]);
  vi.runAllTimers();
  expect(drawn).toEqual(["a", "c"]);
  drawSoon(() => drawn.push("d"));
  vi.runAllTimers();
  expect(drawn).toEqual(["a", "c", "d"]);
  vi.useRealTimers();
});
