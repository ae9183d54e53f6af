import type { Scale } from "../charts/line-path.ts";

/** A value that holds from a moment on. */
export type Step = { at: number; value: number };

/** stepsOf takes times as numbers, for drawing. */
export function stepsOf<Point extends { at: Date }>(
  points: readonly Point[],
  toValue: (point: Point) => number,
): Step[] {
  return points.map((point) => ({ at: point.at.getTime(), value: toValue(point) }));
}

/** stepAt is the value that held at a moment; null before the first. */
export function stepAt(steps: readonly Step[], at: number): number | null {
  return steps.findLast((step) => step.at <= at)?.value ?? null;
}

/** stepPath goes level from each step to the next, and on to the end. */
export function stepPath(steps: readonly Step[], end: number, x: Scale, y: Scale): string {
  const [first, ...rest] = steps;
  if (!first) return "";
  const way = rest.map((step) => `H${round(x(step.at))}V${round(y(step.value))}`).join("");
  return `M${round(x(first.at))} ${round(y(first.value))}${way}H${round(x(Math.max(end, first.at)))}`;
}

/** countTicks marks an axis of whole things: each while there are few. */
export function countTicks(most: number): number[] {
  const top = Math.max(1, Math.ceil(most));
  const each = Math.ceil(top / 4);
  return Array.from({ length: Math.ceil(top / each) + 1 }, (_, i) => i * each);
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
