/** The margins of the plot inside its box, shared by axes, cursor and skeleton. */
export const frame = { left: 68, right: 12, top: 8, bottom: 22 } as const;

/** The range of a plot and the size of its box. */
export type PlotSpan = { from: number; to: number; low: number; high: number; width: number; height: number };

/** momentAt returns the instant at a horizontal position in the box. */
export function momentAt(x: number, width: number, from: number, to: number): number {
  const share = (x - frame.left) / Math.max(1, width - frame.left - frame.right);
  return from + Math.min(1, Math.max(0, share)) * (to - from);
}

/** positionOf is the inverse: the horizontal position of an instant. */
export function positionOf(at: number, width: number, from: number, to: number): number {
  return frame.left + ((at - from) / Math.max(1, to - from)) * (width - frame.left - frame.right);
}
