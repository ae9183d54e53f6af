"use client";
import type { MetricName, SeriesAnswer } from "@fairlead/domain";
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useResolvedRange } from "@/components/time-range/use-resolved-range.ts";
import { useTRPCClient } from "@/trpc/client.tsx";
import { type Problem, problemOf } from "@/trpc/problem.ts";
import { moveWindow, planTail, type SeriesWindow } from "./series-window.ts";

/** What a chart asks: whose, which metrics, and whether all series of a subject are one line. */
export type SeriesQuestion = { subjectIds: string[]; metrics: MetricName[]; sumBy?: "subject" };

export type SeriesState = {
  from: number;
  to: number;
  /** undefined until the first answer. */
  answer: SeriesAnswer | undefined;
  problem: Problem | null;
  retry: () => void;
};

/** More points than a panel has pixels show nothing more. */
const maxPoints = 300;

/**
 * useSeries reads what a chart draws for the page's time range, and while that range is live again and again, though
 * then only its end. The last answer stays on screen until the next is there. null until the page is alive.
 */
export function useSeries(question: SeriesQuestion): SeriesState | null {
  const client = useTRPCClient();
  const range = useResolvedRange();
  const { from, to } = range ?? { from: new Date(0), to: new Date(1) };
  const asked = JSON.stringify(question);
  const shown = useRef<{ asked: string; window: SeriesWindow } | null>(null);

  async function read(signal: AbortSignal): Promise<SeriesWindow> {
    const span = { from: from.getTime(), to: to.getTime() };
    const before = shown.current?.asked === asked ? shown.current.window : null;
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
    shown.current = { asked, window };
    return window;
  }

  const query = useQuery({
    queryKey: ["series-window", asked, from.getTime(), to.getTime()],
    queryFn: ({ signal }) => read(signal),
    enabled: range !== null && question.subjectIds.length > 0,
    // Of the same question only: another node's lines under this node's name would be a lie.
    placeholderData: (before, query) => (query?.queryKey[1] === asked ? before : undefined),
    staleTime: Number.POSITIVE_INFINITY,
    // Every tick asks anew, so the answers of ticks before need not be kept long.
    gcTime: 10_000,
  });
  if (!range) return null;
  return {
    // The span of the answer: until the next is there, the axis stays with the lines, and both are drawn once a tick.
    from: query.data?.from ?? from.getTime(),
    to: query.data?.to ?? to.getTime(),
    answer: query.data?.answer,
    problem: query.error && !query.data ? problemOf(query.error) : null,
    retry: () => void query.refetch(),
  };
}
