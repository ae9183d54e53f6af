import type { Scale } from "../charts/plot/line-path.ts";

/** A value that is valid from an instant on. */
export type Step = { at: number; value: number };

/** stepsOf converts times to numbers, for drawing. */
export function stepsOf<Point extends { at: Date }>(
  points: readonly Point[],
  toValue: (point: Point) => number,
): Step[] {
  return points.map((point) => ({ at: point.at.getTime(), value: toValue(point) }));
}

/** stepAt returns the value at an instant; null before the first one. */
export function stepAt(steps: readonly Step[], at: number): number | null {
  return steps.findLast((step) => step.at <= at)?.value ?? null;
}

/** stepPath draws a horizontal line from each step to the next, and on to the end. */
export function stepPath(steps: readonly Step[], end: number, x: Scale, y: Scale): string {
  const [first, ...rest] = steps;
  if (!first) return "";
  const way = rest.map((step) => `H${round(x(step.at))}V${round(y(step.value))}`).join("");
  return `M${round(x(first.at))} ${round(y(first.value))}${way}H${round(x(Math.max(end, first.at)))}`;
}

/** countTicks returns the ticks of an axis of counts: every integer while there are few. */
export function countTicks(most: number): number[] {
  const top = Math.max(1, Math.ceil(most));
  const each = Math.ceil(top / 4);
  return Array.from({ length: Math.ceil(top / each) + 1 }, (_, i) => i * each);
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
