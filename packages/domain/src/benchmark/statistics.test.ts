import { describe, expect, it } from "vitest";
import { quantile, summarize } from "./statistics.ts";

describe("summarize", () => {
  it("bounds the median by the published sign-test ranks", () => {
    // n = 10: ranks 2 and 9 (one-based) give 97.9 %; n = 31: ranks 10 and 22 give 97.1 %.
    const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);
    expect(summarize(upTo(10))).toEqual({ n: 10, median: 5.5, low: 2, high: 9, p99: 9.91, max: 10 });
    expect(summarize(upTo(31))).toMatchObject({ median: 16, low: 10, high: 22 });
  });

  it("holds 95 % of the time on a skewed distribution", () => {
    let seed = 7;
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed / 2 ** 31;
    };
    const trueMedian = Math.LN2;
    let held = 0;
    for (let i = 0; i < 500; i++) {
      const { low, high } = summarize(Array.from({ length: 40 }, () => -Math.log(1 - random())));
      if (low <= trueMedian && trueMedian <= high) held++;
    }
    expect(held / 500).toBeGreaterThan(0.93);
  });

  it("returns a single value as its own median and bounds", () => {
    expect(summarize([4])).toEqual({ n: 1, median: 4, low: 4, high: 4, p99: 4, max: 4 });
  });

  it("interpolates quantiles", () => {
    expect(quantile([1, 2, 3, 4], 0.5)).toBe(2.5);
  });
});
