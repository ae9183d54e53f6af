import { cloudMeasured } from "@fairlead/domain/cloud";
import { resolutions, sampleWindow } from "@fairlead/domain/series";
import type { Span } from "@fairlead/drivers";

const minuteMs = resolutions.minute.bucketMs;
/** AWS counts a minute for some minutes after its end. What it is silent of until then was nothing. */
const quietAfterMs = 5 * minuteMs;
/** Minutes that were read are read again for so long, because AWS corrects them; and once an hour for longer, should it have been slow. */
const againMs = 10 * minuteMs;
const hourlyAgainMs = 150 * minuteMs;
const hourMs = 3_600_000;
/** Where reading begins is rounded down, so that balancers which lag a little are read by one call. More minutes cost nothing. */
const gridMs = 5 * minuteMs;
/** So long, and of so many, that what is read comes in one call, on one page, and catching up is written down on its way. */
const longestMs = 3 * hourMs;
const mostBalancers = Math.floor(500 / cloudMeasured.length);

export type Begun = { readUntil: Date | null; createdAt: Date };

/**
 * planSpans says what to read of balancers at a moment: which of them from when on, in steps that are written down one by one. As
 * far back as samples are taken, so that an outage of either side leaves no gap that can be filled.
 */
export function planSpans<Balancer extends Begun>(
  balancers: readonly Balancer[],
  now: Date,
): { balancers: Balancer[]; spans: Span[] }[] {
  const floor = (ms: number, step: number) => Math.floor(ms / step) * step;
  const toMs = floor(now.getTime(), minuteMs);
  const quietBefore = new Date(toMs - quietAfterMs);
  const earliestMs = floor(now.getTime() - sampleWindow.pastMs, gridMs) + gridMs;
  const hour = floor(quietBefore.getTime(), hourMs);
  const beginOf = ({ readUntil, createdAt }: Begun) => {
    if (readUntil === null) return Math.max(earliestMs, floor(createdAt.getTime(), gridMs));
    const lagMs = hour - readUntil.getTime();
    // Whoever lags more catches up first: going back so far each time, a pass of one step would get nowhere.
    const again = lagMs > 0 && lagMs <= hourMs ? hourlyAgainMs : againMs;
    return Math.max(earliestMs, floor(readUntil.getTime() - again, gridMs));
  };
  return [...Map.groupBy(balancers, beginOf)].flatMap(([fromMs, group]) => {
    const spans: Span[] = [];
    for (let at = fromMs; at < toMs; at += longestMs)
      spans.push({ from: new Date(at), to: new Date(Math.min(at + longestMs, toMs)), quietBefore });
    return inParts(group).map((part) => ({ balancers: part, spans }));
  });
}

function inParts<Each>(all: readonly Each[]): Each[][] {
  const parts: Each[][] = [];
  for (let first = 0; first < all.length; first += mostBalancers) parts.push(all.slice(first, first + mostBalancers));
  return parts;
}
