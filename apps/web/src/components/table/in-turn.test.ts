import { describe, expect, it } from "vitest";
import { inTurn } from "./in-turn.ts";

describe("inTurn", () => {
  it("processes everything, with limited concurrency", async () => {
    const seen: number[] = [];
    let running = 0;
    let most = 0;
    await inTurn([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      seen.push(item);
      running--;
    });
    expect(seen.sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(most).toBe(3);
  });

  it("continues after failures, counts them and keeps the first", async () => {
    const seen: number[] = [];
    const answer = await inTurn([1, 2, 3, 4], 1, async (item) => {
      seen.push(item);
      if (item % 2 === 0) throw new Error(`no ${item}`);
    });
    expect(seen).toEqual([1, 2, 3, 4]);
    expect(answer).toEqual({ failed: 2, firstError: new Error("no 2") });
  });
});
