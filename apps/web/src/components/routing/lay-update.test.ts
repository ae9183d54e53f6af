import { describe, expect, it } from "vitest";
import { drawnMs, layUpdate } from "./lay-update.ts";

describe("the bar of an update", () => {
  it("has its phases one after the other, to a scale", () => {
    const update = { phasesMs: { notice: 600, reflect: 1, deliver: 2, write: 1, carry: 3_000, converge: 4 } };
    expect(drawnMs(update)).toBe(4);
    expect(layUpdate(update, 8)).toEqual([
      { phase: "reflect", ms: 1, left: 0, width: 12.5 },
      { phase: "deliver", ms: 2, left: 12.5, width: 25 },
      { phase: "write", ms: 1, left: 37.5, width: 12.5 },
    ]);
  });

  it("has no part for what is unknown, and none beyond its end", () => {
    expect(layUpdate({ phasesMs: { deliver: 3, write: 9 } }, 10).map(({ left, width }) => [left, width])).toEqual([
      [0, 30],
      [30, 70],
    ]);
    expect(layUpdate({ phasesMs: { notice: 5 } }, 10)).toEqual([]);
    expect(layUpdate({ phasesMs: { write: 0 } }, 0)).toEqual([]);
  });
});
