import { expect, it } from "vitest";
import { MapError } from "../errors.ts";
import { backoffMs } from "./backoff.ts";
import { pauseAfter } from "./follow.ts";

it("backs off by doubling, half of it random, up to 30 s", () => {
  expect([1, 2, 3, 8, 500].map((failures) => backoffMs(failures, () => 1))).toEqual([250, 500, 1_000, 30_000, 30_000]);
  expect([1, 2, 3, 8, 500].map((failures) => backoffMs(failures, () => 0))).toEqual([125, 250, 500, 15_000, 15_000]);
});

it("never retries before Retry-After, and rarely after permanent errors", () => {
  const limited = new MapError("rate-limited", "", { retryAfterMs: 60_000 });
  expect(pauseAfter(limited, 1, () => 0)).toBe(60_000);
  expect(pauseAfter(new MapError("unavailable", ""), 1, () => 0)).toBe(125);
  expect(pauseAfter(new MapError("refused", ""), 1, () => 0)).toBe(4_000);
});
