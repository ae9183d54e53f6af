import type { FeedEntry } from "@fairlead/domain/event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createChangeQueue } from "./change-queue.ts";

const change = (id: string): FeedEntry => ({ subjectKind: "node", subjectId: id, clusterId: null });

function setUp(options: { fetchMs?: number; isShown?: (id: string) => boolean } = {}) {
  const batches: (string[] | "everything")[] = [];
  const waiting: number[] = [];
  const queue = createChangeQueue({
    gapMs: 400,
    onWaiting: (count) => waiting.push(count),
    apply: async (batch) => {
      batches.push(batch === "everything" ? batch : batch.map(({ subjectId }) => subjectId));
      await new Promise((resolve) => setTimeout(resolve, options.fetchMs ?? 0));
      return batch === "everything" || batch.some(({ subjectId }) => options.isShown?.(subjectId) ?? true);
    },
  });
  return { queue, batches, waiting };
}

describe("the queue of changes", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("applies the first change at once, and simultaneous ones as one batch", async () => {
    const { queue, batches } = setUp();
    queue.push(change("a"));
    queue.push(change("b"));
    queue.push(change("a"));
    await vi.advanceTimersByTimeAsync(50);
    expect(batches).toEqual([["a", "b"]]);
  });

  it("does not delay changes behind invisible ones", async () => {
    const { queue, batches } = setUp({ isShown: (id) => id !== "elsewhere" });
    queue.push(change("elsewhere"));
    await vi.advanceTimersByTimeAsync(50);
    queue.push(change("here"));
    await vi.advanceTimersByTimeAsync(50);
    expect(batches).toEqual([["elsewhere"], ["here"]]);
    queue.push(change("again"));
    await vi.advanceTimersByTimeAsync(50);
    expect(batches).toHaveLength(2);
  });

  it("waits for the response to one batch before the next, so that a slow server is not overloaded", async () => {
    const { queue, batches } = setUp({ fetchMs: 5_000 });
    queue.push(change("a"));
    await vi.advanceTimersByTimeAsync(50);
    for (let i = 0; i < 100; i++) queue.push(change(`n${i % 3}`));
    await vi.advanceTimersByTimeAsync(4_000);
    expect(batches).toEqual([["a"]]);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(batches).toEqual([["a"], ["n0", "n1", "n2"]]);
  });

  it("applies nothing while paused, counts changes, and catches up", async () => {
    const { queue, batches, waiting } = setUp();
    queue.pause();
    queue.push(change("a"));
    queue.push(change("b"));
    queue.push(change("a"));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(batches).toEqual([]);
    expect(waiting).toEqual([1, 2, 2]);
    queue.resume();
    await vi.advanceTimersByTimeAsync(50);
    expect(batches).toEqual([["a", "b"]]);
    expect(waiting.at(-1)).toBe(0);
  });

  it("refetches everything after a reset", async () => {
    const { queue, batches } = setUp();
    queue.push(change("a"));
    queue.pushReset();
    await vi.advanceTimersByTimeAsync(50);
    expect(batches).toEqual(["everything"]);
  });

  it("stops counting objects when there are too many", async () => {
    const { queue, batches, waiting } = setUp();
    queue.pause();
    for (let i = 0; i <= 2_000; i++) queue.push(change(`n${i}`));
    expect(waiting.at(-1)).toBe(Number.POSITIVE_INFINITY);
    queue.resume();
    await vi.advanceTimersByTimeAsync(50);
    expect(batches).toEqual(["everything"]);
  });

  it("continues after a failed batch", async () => {
    const batches: number[] = [];
    const queue = createChangeQueue({
      gapMs: 10,
      onWaiting() {},
      apply: async (batch) => {
        batches.push(batch.length);
        if (batches.length === 1) throw new Error("no answer");
        return true;
      },
    });
    queue.push(change("a"));
    await vi.advanceTimersByTimeAsync(100);
    queue.push(change("b"));
    await vi.advanceTimersByTimeAsync(100);
    expect(batches).toEqual([1, 1]);
  });
});
