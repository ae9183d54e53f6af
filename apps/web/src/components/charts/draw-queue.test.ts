import { expect, it, vi } from "vitest";
import { drawSoon } from "./draw-queue.ts";

it("draws one after the other, in order, and not what was given up", () => {
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
