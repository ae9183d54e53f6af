import type { Span } from "./cloud-metrics.ts";

const minuteMs = 60_000;

/**
 * fillQuiet fills gaps in a series. If the cloud returned all values and none for a minute, the value is zero, unless the minute is too
 * recent or is before the load balancer's creation.
 */
export function fillQuiet(
  points: ReadonlyMap<number, number>,
  { from, to, quietBefore }: Span,
  { isWhole, since }: { isWhole: boolean; since: Date },
): { atMs: number[]; values: number[] } {
  const atMs: number[] = [];
  const values: number[] = [];
  for (let at = from.getTime(); at < to.getTime(); at += minuteMs) {
    const value = points.get(at);
    const isQuiet = isWhole && at >= since.getTime() && at + minuteMs <= quietBefore.getTime();
    if (value === undefined && !isQuiet) continue;
    atMs.push(at);
    values.push(value ?? 0);
  }
  return { atMs, values };
}
