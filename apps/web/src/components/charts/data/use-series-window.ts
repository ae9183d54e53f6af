"use client";
import {
  type MetricName,
  type SeriesAnswer,
  type SeriesLayout,
  type SumBy,
  unpackSeries,
} from "@fairlead/domain/series";
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useTRPCClient } from "@/trpc/client.tsx";
import { moveWindow, planTail, type Refresh, type SeriesWindow, type Span, type Tail } from "./series-window.ts";

/** The query of a chart: the subjects, the metrics, and which series are added up. */
export type SeriesQuestion = { subjectIds: string[]; metrics: MetricName[]; sumBy?: "subject" | "labels" };

const minute = 60_000;
/**
 * An agent sends its samples in order, so only the newest step of a series changes. The sources of a sum are not equally
 * fast, and it doesn't show which of them resumed: what that one sends late is only in a full read.
 */
const ofSum: Refresh = { fullEveryMs: minute, olderSteps: 1 };
const refreshes: Record<SumBy, Refresh> = {
  series: { fullEveryMs: 15 * minute, olderSteps: 0 },
  ...{ subject: ofSum, labels: ofSum },
};

/**
 * useSeriesWindow fetches the series of a span. When the span moves on, it fetches only what is newer than the data on
 * screen. The last response stays until the next arrives.
 */
export function useSeriesWindow(question: SeriesQuestion, span: Span | null, maxPoints: number) {
  const client = useTRPCClient();
  const key = JSON.stringify(question);
  const shown = useRef<{ key: string; window: SeriesWindow } | null>(null);
  const seen = useRef<{ key: string; layout: SeriesLayout } | null>(null);

  async function fetchSpan(
    { from, to, maxPoints }: Span & { maxPoints: number },
    known: SeriesLayout | null,
    signal: AbortSignal,
  ): Promise<SeriesAnswer> {
    const span = { from: new Date(from), to: new Date(to), maxPoints };
    const layoutDigest = known ? { layoutDigest: known.digest } : {};
    const packed = await client.series.chart.query({ ...question, ...span, ...layoutDigest }, { signal });
    if (packed.layout) seen.current = { key, layout: packed.layout };
    return unpackSeries(packed, question, known);
  }
  /** The series of a tail are usually those of the answer before it. */
  async function fetchTail(part: Tail, signal: AbortSignal): Promise<SeriesAnswer> {
    return fetchSpan(part, seen.current?.key === key ? seen.current.layout : null, signal);
  }
  async function read(wanted: Span, signal: AbortSignal): Promise<SeriesWindow> {
    const before = shown.current?.key === key ? shown.current.window : null;
    const tail = planTail(before, wanted, refreshes[question.sumBy ?? "series"]);
    const moved = before && tail ? moveWindow(before, await fetchTail(tail, signal), tail.from, wanted) : null;
    const window = moved ?? {
      ...wanted,
      fullAt: wanted.to,
      answer: await fetchSpan({ ...wanted, maxPoints }, null, signal),
    };
    shown.current = { key, window };
    return window;
  }

  const { from, to } = span ?? { from: 0, to: 1 };
  return useQuery({
    queryKey: ["series-window", key, from, to],
    queryFn: ({ signal }) => read({ from, to }, signal),
    enabled: span !== null && question.subjectIds.length > 0,
    // Only for the same query: the lines of another node under this node's name would be wrong.
    placeholderData: (before, query) => (query?.queryKey[1] === key ? before : undefined),
    staleTime: Number.POSITIVE_INFINITY,
    // Every tick is a new query, so responses of earlier ticks need not be cached for long.
    gcTime: 10_000,
  });
}
