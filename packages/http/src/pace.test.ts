import { expect, it } from "vitest";
import { Pace } from "./pace.ts";

const { signal } = new AbortController();

it("keeps the minimum time between attempts", async () => {
  const pace = new Pace(40);
  const began = performance.now();
  for (let i = 0; i < 4; i++) await pace.next(signal);
  expect(performance.now() - began).toBeGreaterThanOrEqual(3 * 40);
});

it("does not delay the first attempt", async () => {
  const began = performance.now();
  await new Pace(60_000).next(signal);
  expect(performance.now() - began).toBeLessThan(10_000);
});

it("ends the wait at once when it is aborted", async () => {
  const pace = new Pace(60_000);
  const stop = new AbortController();
  await pace.next(stop.signal);
  const waiting = pace.next(stop.signal);
  stop.abort(new Error("stopped"));
  await expect(waiting).rejects.toThrow();
});
