import type { Series, SeriesAnswer } from "@fairlead/domain/series";

/** The data on screen and the span it covers. fullAt is the end of the last span that was fetched in full. */
export type SeriesWindow = { from: number; to: number; fullAt: number; answer: SeriesAnswer };

/** The query that brings a window up to date: whole steps, so that the server uses the same step as before. */
export type Tail = { from: number; to: number; maxPoints: number };

export type Span = { from: number; to: number };

/** A series that is this far behind the others has ended, or its source is silent. */
const lateMs = 30_000;
const lateIntervals = 2.5;

/** How a window is kept up to date: how often all of it is fetched again, and how many steps before the newest one. */
export type Refresh = { fullEveryMs: number; olderSteps: number };

/**
 * planTail returns what is newer than the window, or null if the span must be fetched in full. It starts at the newest
 * step, which may get another sample, or at the number of steps before it that late samples may still change.
 */
export function planTail(window: SeriesWindow | null, span: Span, { fullEveryMs, olderSteps }: Refresh): Tail | null {
  if (!window || span.to - span.from !== window.to - window.from) return null;
  if (span.to < window.to || span.to - window.fullAt >= fullEveryMs) return null;
  const stepMs = window.answer.resolutionMs;
  const newest = newestOfAll(window.answer);
  if (newest === null) return null;
  const from = (Math.floor(newest / stepMs) - olderSteps) * stepMs;
  const to = Math.ceil(span.to / stepMs) * stepMs;
  return from > span.from && from < to ? { from, to, maxPoints: (to - from) / stepMs + 2 } : null;
}

/** The newest point that all series have, except those that ended. null without points. */
function newestOfAll({ series }: SeriesAnswer): number | null {
  const ends = series.flatMap(({ points, intervalMs }) => {
    const last = points.at(-1);
    return last ? [{ at: last.at.getTime(), lateMs: Math.max(lateMs, lateIntervals * intervalMs) }] : [];
  });
  if (ends.length === 0) return null;
  const latest = ends.reduce((most, end) => Math.max(most, end.at), 0);
  return ends.reduce((least, end) => (latest - end.at > end.lateMs ? least : Math.min(least, end.at)), latest);
}

/**
 * moveWindow appends the tail to the part of the window that is still in the span. null if the span must be fetched in
 * full: the step differs, or a series starts or resumes, so that it may have points from before the tail.
 */
export function moveWindow(
  window: SeriesWindow,
  tail: SeriesAnswer,
  tailFrom: number,
  span: Span,
): SeriesWindow | null {
  const { resolutionMs } = window.answer;
  if (tail.resolutionMs !== resolutionMs) return null;
  const first = Math.floor(span.from / resolutionMs) * resolutionMs;
  const fresh = new Map(tail.series.map((each) => [keyOf(each), each.points]));
  const moved: Series[] = [];
  for (const series of window.answer.series) {
    const key = keyOf(series);
    const newer = fresh.get(key) ?? [];
    fresh.delete(key);
    const last = series.points.at(-1);
    if (newer.length > 0 && last && last.at.getTime() < tailFrom) return null;
    const kept = series.points.filter(({ at }) => at.getTime() >= first && at.getTime() < tailFrom);
    if (kept.length + newer.length > 0) moved.push({ ...series, points: [...kept, ...newer] });
  }
  if (fresh.size > 0) return null;
  return { ...span, fullAt: window.fullAt, answer: { resolutionMs, series: moved } };
}

function keyOf({ subjectId, metric, labels }: Series): string {
  return JSON.stringify([subjectId, metric, Object.entries(labels).sort()]);
}
