import type { Series, SeriesAnswer } from "@fairlead/domain";

/** What is on screen: an answer and the span it was asked for. fullAt is the end of the last span that was read whole. */
export type SeriesWindow = { from: number; to: number; fullAt: number; answer: SeriesAnswer };

/** What to ask for to bring a window up to date. */
export type Tail = { from: number; maxPoints: number };

/** So much of what is on screen is asked again, because reports arrive late. */
const overlapMs = 30_000;
/** So often everything is read anew: an agent that was cut off delivers what it kept, and that may be much older. */
const fullEveryMs = 60_000;
/** The server answers at least ten points, two of them for the edges. */
const fewestSteps = 8;

/**
 * planTail says which end of a live span has to be read to move a window forward, or null where it must be read
 * whole. The number of points is chosen so that the server comes to the same step as before.
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

/** moveWindow puts the tail behind what is still in the span. null where the two do not fit together. */
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
