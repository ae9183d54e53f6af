import type { Series, SeriesAnswer } from "@fairlead/domain/series";

/** The data on screen and the span it covers. fullAt is the end of the last span that was fetched in full. */
export type SeriesWindow = { from: number; to: number; fullAt: number; answer: SeriesAnswer };

/** The query that brings a window up to date. */
export type Tail = { from: number; maxPoints: number };

/** How much of the visible span is fetched again, because reports arrive late. */
const overlapMs = 30_000;
/** How often everything is fetched again: a reconnected agent delivers buffered data that may be much older. */
const fullEveryMs = 60_000;
/** The server returns at least ten points, two of them for the edges. */
const fewestSteps = 8;

/**
 * planTail returns the end of a live span to fetch to move a window forward, or null if the span must be fetched in
 * full. The number of points is chosen so that the server uses the same step as before.
 */
export function planTail(window: SeriesWindow | null, from: number, to: number): Tail | null {
  if (!window || to - from !== window.to - window.from || to < window.to || to - window.fullAt >= fullEveryMs)
    return null;
  const stepMs = window.answer.resolutionMs;
  const newest = Math.floor((window.to - overlapMs) / stepMs) * stepMs;
  const steps = Math.max(fewestSteps, Math.ceil((to - newest) / stepMs));
  const tailFrom = Math.ceil(to / stepMs) * stepMs - steps * stepMs;
  return tailFrom > from + (to - from) / 2 ? { from: tailFrom, maxPoints: steps + 2 } : null;
}

/**
 * moveWindow appends the tail to the part of the window that is still in the span. null if the two don't fit together.
 */
export function moveWindow(
  window: SeriesWindow,
  tail: SeriesAnswer,
  tailFrom: number,
  span: { from: number; to: number },
): SeriesWindow | null {
  const { resolutionMs } = window.answer;
  if (tail.resolutionMs !== resolutionMs) return null;
  const first = Math.floor(span.from / resolutionMs) * resolutionMs;
  const fresh = new Map(tail.series.map((each) => [keyOf(each), each]));
  const kept = window.answer.series.map((series): Series => {
    const points = series.points.filter(({ at }) => at.getTime() >= first && at.getTime() < tailFrom);
    const newer = fresh.get(keyOf(series))?.points ?? [];
    fresh.delete(keyOf(series));
    return { ...series, points: [...points, ...newer] };
  });
  const series = [...kept, ...fresh.values()].filter((each) => each.points.length > 0);
  return { ...span, fullAt: window.fullAt, answer: { resolutionMs, series } };
}

function keyOf({ subjectId, metric, labels }: Series): string {
  return JSON.stringify([subjectId, metric, Object.entries(labels).sort()]);
}
