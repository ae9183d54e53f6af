import { expect, it } from "vitest";
import { backoffMs } from "./backoff.ts";

it("grows with every attempt and is bounded", () => {
  const longest = [0, 1, 2, 3, 4, 10, 11, 1_000].map((attempts) => backoffMs(attempts, () => 1));
  expect(longest).toEqual([500, 500, 1_000, 2_000, 4_000, 256_000, 300_000, 300_000]);
});

it("spreads attempts over the whole span, so that many failures aren't retried together", () => {
  expect([0, 0.25, 0.5, 1].map((chance) => backoffMs(4, () => chance))).toEqual([0, 1_000, 2_000, 4_000]);
});
