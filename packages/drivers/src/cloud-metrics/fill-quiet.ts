import type { Span } from "./cloud-metrics.ts";

const minuteMs = 60_000;

/**
 * fillQuiet makes a series of what a cloud said of minutes. Where it said all and nothing of a minute, nothing happened in that
 * minute; unless it is so young that the cloud may not have counted it yet, or the balancer wasn't there.
 */
export function fillQuiet(
  said: ReadonlyMap<number, number>,
  { from, to, quietBefore }: Span,
  { isWhole, since }: { isWhole: boolean; since: Date },
): { atMs: number[]; values: number[] } {
  const atMs: number[] = [];
  const values: number[] = [];
  for (let at = from.getTime(); at < to.getTime(); at += minuteMs) {
    const value = said.get(at);
    const isQuiet = isWhole && at >= since.getTime() && at + minuteMs <= quietBefore.getTime();
    if (value === undefined && !isQuiet) continue;
    atMs.push(at);
    values.push(value ?? 0);
  }
  return { atMs, values };
}
