"use client";
import type { SeriesAnswer } from "@fairlead/domain/series";
import { useDeferredValue, useMemo } from "react";
import { useResolvedRange } from "@/components/time-range/use-resolved-range.ts";
import { type Problem, problemOf } from "@/trpc/problem.ts";
import { type SeriesQuestion, useSeriesWindow } from "./use-series-window.ts";

export type SeriesState = {
  from: number;
  to: number;
  /** undefined until the first response. */
  answer: SeriesAnswer | undefined;
  problem: Problem | null;
  retry: () => void;
};

/** More points than the panel has pixels add nothing. */
const maxPoints = 300;

/**
 * useSeries fetches the data of a chart for the page's time range, and keeps it up to date while the range is live. null
 * until the page is hydrated.
 */
export function useSeries(question: SeriesQuestion): SeriesState | null {
  const range = useResolvedRange();
  const questionKey = JSON.stringify(question);
  const span = range && { from: range.from.getTime(), to: range.to.getTime() };
  const query = useSeriesWindow(question, span, maxPoints);
  // The responses for all charts of a page arrive together. Drawing them in one step would delay a click.
  const newest = useMemo(() => ({ questionKey, window: query.data }), [questionKey, query.data]);
  const calm = useDeferredValue(newest);
  const window = calm.questionKey === questionKey ? calm.window : undefined;
  if (!span) return null;
  return {
    // The span of the response: the axis stays with the lines until the next one arrives, and both are drawn once per
    // tick.
    from: window?.from ?? span.from,
    to: window?.to ?? span.to,
    answer: window?.answer,
    problem: query.error && !query.data ? problemOf(query.error) : null,
    retry: () => void query.refetch(),
  };
}
