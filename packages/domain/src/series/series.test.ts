import { describe, expect, it } from "vitest";
import { countBuckets, mostBuckets, planSeries, resolutions } from "./series.ts";

const now = new Date("2026-11-20T12:00:00Z");
const ago = (ms: number) => new Date(now.getTime() - ms);
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

describe("planSeries", () => {
  it.each([
    ["15 min", 15 * minute, "raw", 5_000],
    ["1 h", hour, "raw", 15_000],
    ["6 h", 6 * hour, "minute", 2 * minute],
    ["24 h", day, "minute", 5 * minute],
    ["7 days", 7 * day, "hour", hour],
    ["30 days", 30 * day, "hour", 4 * hour],
    ["2 years", 730 * day, "hour", 7 * day],
  ])("reads %s with 300 points from the coarsest table that fills them", (_, span, resolution, stepMs) => {
    expect(planSeries({ from: ago(span), to: now, maxPoints: 300 }, now)).toMatchObject({ resolution, stepMs });
  });

  it("falls back to coarser tables if the finer samples have expired", () => {
    const yesterday = { from: ago(2 * day), to: ago(2 * day - 5 * minute), maxPoints: 300 };
    expect(planSeries(yesterday, now)).toMatchObject({ resolution: "minute", stepMs: minute });
    const longAgo = { from: ago(60 * day), to: ago(60 * day - 5 * minute), maxPoints: 300 };
    expect(planSeries(longAgo, now)).toMatchObject({ resolution: "hour", stepMs: hour });
  });

  it.each([
    ["8 h", 8 * hour, 1, "raw", 30_000],
    ["8 h", 8 * hour, 2_000, "minute", minute],
    ["24 h", day, 2_000, "minute", 2 * minute],
    ["3 days", 3 * day, 2_000, "hour", hour],
  ])(
    "reads %2$s of %3$s series from a table that is fast enough for a request",
    (_, span, count, resolution, stepMs) => {
      const plan = planSeries({ from: ago(span), to: now, maxPoints: 1_000 }, now, count);
      expect(plan).toMatchObject({ resolution, stepMs });
      expect(countBuckets(plan, count)).toBeLessThanOrEqual(mostBuckets);
    },
  );

  it("never plans more than maxPoints steps, and only whole ones of a table that still has the samples", () => {
    let seed = 1;
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    for (let round = 0; round < 5_000; round++) {
      const from = ago(random() * 800 * day);
      const to = new Date(from.getTime() + 1 + 10 ** (random() * 11));
      const maxPoints = 10 + Math.floor(random() * 991);
      const plan = planSeries({ from, to, maxPoints }, now);
      const steps = (plan.to.getTime() - plan.from.getTime()) / plan.stepMs;
      expect(Number.isInteger(steps)).toBe(true);
      expect(steps).toBeLessThanOrEqual(maxPoints);
      expect(plan.from.getTime()).toBeLessThanOrEqual(from.getTime());
      expect(plan.to.getTime()).toBeGreaterThanOrEqual(to.getTime());
      const { bucketMs, retentionMs } = resolutions[plan.resolution];
      if (bucketMs > 0) expect(plan.stepMs % bucketMs).toBe(0);
      if (plan.resolution !== "hour") expect(now.getTime() - from.getTime()).toBeLessThanOrEqual(retentionMs);
    }
  });
});
