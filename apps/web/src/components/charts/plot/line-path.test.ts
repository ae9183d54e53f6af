import { expect, it } from "vitest";
import { bandPath, linearScale, linePath } from "./line-path.ts";

const x = linearScale(0, 10, 100, 200);
const y = linearScale(0, 1, 50, 0);
const line = (...values: (number | null)[]) => values.map((value, at) => ({ at, value }));

it("maps values to pixels, inverted on request", () => {
  expect([x(0), x(5), x(10)]).toEqual([100, 150, 200]);
  expect([y(0), y(0.5), y(1)]).toEqual([50, 25, 0]);
});

it("draws through every moment", () => {
  expect(linePath(line(0, 0.5, 1), x, y)).toBe("M100 50L110 25L120 0");
});

it("breaks at a gap, and shows a single point", () => {
  expect(linePath(line(0, 0.5, null, 1, null, 0.5, 0.5), x, y)).toBe("M100 50L110 25M130 0h1.5M150 25L160 25");
});

it("draws nothing without points", () => {
  expect(linePath(line(null, null), x, y)).toBe("");
});

it("encloses each stretch between lowest and highest", () => {
  const spans = [[0, 1], [0, 0.5], null, [0, 1], null, [0.5, 1], [0.5, 1]].map((band, at) => ({
    at,
    band: band as [number, number] | null,
  }));
  expect(bandPath(spans, x, y)).toBe("M100 0L110 25L110 50L100 50ZM150 0L160 0L160 25L150 25Z");
});
