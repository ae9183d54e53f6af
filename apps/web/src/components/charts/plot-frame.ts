/** Where the plot lies inside its box, so that axes, cursor and skeleton agree without asking each other. */
export const frame = { left: 68, right: 12, top: 8, bottom: 22 } as const;

/** momentAt says which moment lies under a horizontal position in the box. */
export function momentAt(x: number, width: number, from: number, to: number): number {
  const share = (x - frame.left) / Math.max(1, width - frame.left - frame.right);
  return from + Math.min(1, Math.max(0, share)) * (to - from);
}

/** positionOf is the inverse: where in the box a moment lies. */
export function positionOf(at: number, width: number, from: number, to: number): number {
  return frame.left + ((at - from) / Math.max(1, to - from)) * (width - frame.left - frame.right);
}
