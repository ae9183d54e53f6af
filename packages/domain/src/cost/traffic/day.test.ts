import { expect, it } from "vitest";
import { shapesOf } from "./day.ts";
import { trafficProfile } from "./traffic-profile.ts";

const shapes = (averageMbps: number, peakMbps: number, balancers = 1) =>
  shapesOf(trafficProfile.parse({ averageMbps, peakMbps, newConnectionsPerSecond: 10 }), balancers);

it.each([
  [10, 10],
  [10, 12],
  [10, 20],
  [10, 21],
  [10, 100],
  [0.001, 10_000_000],
])("every shape has the average of %d and the peak of %d", (average, peak) => {
  for (const shape of Object.values(shapes(average, peak))) {
    const sum = (of: (block: (typeof shape)[number]) => number) => shape.reduce((total, block) => total + of(block), 0);
    expect(sum(({ weight }) => weight)).toBeCloseTo(1, 12);
    expect(sum(({ weight, load }) => weight * load.mbps)).toBeCloseTo(average, 9);
    expect(sum(({ weight, load }) => weight * load.newPerSecond)).toBeCloseTo(10, 9);
    for (const { load, weight } of shape) {
      expect(weight).toBeGreaterThan(0);
      expect(load.mbps).toBeGreaterThanOrEqual(0);
      expect(load.mbps).toBeLessThanOrEqual(peak * (1 + 1e-12));
    }
  }
});

it("is flat if the peak is the average, and otherwise at its peak or zero in the high shape", () => {
  expect(shapes(10, 10).high.map(({ load }) => load.mbps)).toEqual([10]);
  expect(shapes(10, 40).high.map(({ weight, load }) => [weight, load.mbps])).toEqual([
    [0.25, 40],
    [0.75, 0],
  ]);
});

it("splits the load among several balancers", () => {
  expect(shapes(12, 12, 4).low[0]?.load.mbps).toBe(3);
});
