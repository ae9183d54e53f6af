"use client";
import type { MetricName, SeriesAnswer } from "@fairlead/domain/series";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo, useRef } from "react";
import { useResolvedRange } from "@/components/time-range/use-resolved-range.ts";
import { useTRPCClient } from "@/trpc/client.tsx";
import { type Problem, problemOf } from "@/trpc/problem.ts";
import { moveWindow, planTail, type SeriesWindow } from "./series-window.ts";

/** The query of a chart: the subjects, the metrics, and whether all series of a subject are combined. */
export type SeriesQuestion = { subjectIds: string[]; metrics: MetricName[]; sumBy?: "subject" };

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
 * useSeries fetches the data of a chart for the page's time range. While the range is live it refreshes, fetching only
 * the end. The last response stays on screen until the next arrives. null until the page is hydrated.
 */
export function useSeries(question: SeriesQuestion): SeriesState | null {
  const client = useTRPCClient();
  const range = useResolvedRange();
  const { from, to } = range ?? { from: new Date(0), to: new Date(1) };
  const questionKey = JSON.stringify(question);
  const shown = useRef<{ questionKey: string; window: SeriesWindow } | null>(null);

  async function read(signal: AbortSignal): Promise<SeriesWindow> {
    const span = { from: from.getTime(), to: to.getTime() };
    const before = shown.current?.questionKey === questionKey ? shown.current.window : null;
    const tail = planTail(before, span.from, span.to);
    if (before && tail) {
      const tailFrom = new Date(tail.from);
      const end = await client.series.query.query({ ...question, ...tail, from: tailFrom, to }, { signal });
      const window = moveWindow(before, end, tail.from, span);
      if (window) return keep(window);
    }
    const answer = await client.series.query.query({ ...question, from, to, maxPoints }, { signal });
    return keep({ ...span, fullAt: span.to, answer });
  }
  function keep(window: SeriesWindow): SeriesWindow {
    shown.current = { questionKey, window };
    return window;
  }

  const query = useQuery({
    queryKey: ["series-window", questionKey, from.getTime(), to.getTime()],
    queryFn: ({ signal }) => read(signal),
    enabled: range !== null && question.subjectIds.length > 0,
    // Only for the same query: the lines of another node under this node's name would be wrong.
    placeholderData: (before, query) => (query?.queryKey[1] === questionKey ? before : undefined),
    staleTime: Number.POSITIVE_INFINITY,
    // Every tick is a new query, so responses of earlier ticks need not be cached for long.
    gcTime: 10_000,
  });
  // The responses for all charts of a page arrive together. Drawing them in one step would delay a click.
  const newest = useMemo(() => ({ questionKey, window: query.data }), [questionKey, query.data]);
  const calm = useDeferredValue(newest);
  const window = calm.questionKey === questionKey ? calm.window : undefined;
  if (!range) return null;
  return {
    // The span of the response: the axis stays with the lines until the next one arrives, and both are drawn once per
    // tick.
    from: window?.from ?? from.getTime(),
    to: window?.to ?? to.getTime(),
    answer: window?.answer,
    problem: query.error && !query.data ? problemOf(query.error) : null,
    retry: () => void query.refetch(),
  };
}
