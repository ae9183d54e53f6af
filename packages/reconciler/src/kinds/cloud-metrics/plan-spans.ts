import { cloudMeasured } from "@fairlead/domain/cloud";
import { resolutions, sampleWindow } from "@fairlead/domain/series";
import type { Span } from "@fairlead/drivers";

const minuteMs = resolutions.minute.bucketMs;
/** AWS counts a minute for some minutes after its end. A metric without data by then counts as zero. */
const quietAfterMs = 5 * minuteMs;
/**
 * Minutes that were read are read again for this long, because AWS corrects them; and for longer once an hour, for late
 * corrections.
 */
const againMs = 10 * minuteMs;
const hourlyAgainMs = 150 * minuteMs;
const hourMs = 3_600_000;
/**
 * The start of a read is rounded down, so that balancers which lag a little share one call. More minutes cost nothing.
 */
const gridMs = 5 * minuteMs;
/** The limits of one call, so that its answer fits one page and catching up is recorded on the way. */
const longestMs = 3 * hourMs;
const mostBalancers = Math.floor(500 / cloudMeasured.length);

export type Begun = { readUntil: Date | null; createdAt: Date };

/**
 * planSpans returns what to read of balancers at a moment: which of them from when on, in steps that are recorded one
 * by one. It goes as far back as samples are accepted, so that an outage of either side leaves no gap that can be
 * filled.
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
    // One that lags more catches up first: repeating so much each time, a pass of one step would make no progress.
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
