import { expect, it } from "vitest";
import { Pace } from "./pace.ts";

it("keeps the minimum time between attempts, and does not delay the first", async () => {
  const pace = new Pace(40);
  const { signal } = new AbortController();
  const began = performance.now();
  await pace.next(signal);
  const first = performance.now() - began;
  for (let i = 0; i < 3; i++) await pace.next(signal);
  expect(first).toBeLessThan(40);
  // A timer may fire up to a millisecond early.
  expect(performance.now() - began).toBeGreaterThanOrEqual(3 * 39);
});

it("ends the wait at once when it is aborted", async () => {
  const pace = new Pace(60_000);
  const stop = new AbortController();
  await pace.next(stop.signal);
  const waiting = pace.next(stop.signal);
  stop.abort(new Error("stopped"));
  await expect(waiting).rejects.toThrow();
});
