"use client";
import type { MetricName, SeriesAnswer } from "@fairlead/domain";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useResolvedRange } from "@/components/time-range/use-resolved-range.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { type Problem, problemOf } from "@/trpc/problem.ts";

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
 * useSeries reads what a chart draws for the page's time range, again and again while that range is live. The last
 * answer stays on screen until the next is there. null until the page is alive.
 */
export function useSeries(subjectIds: string[], metrics: MetricName[]): SeriesState | null {
  const trpc = useTRPC();
  const range = useResolvedRange();
  const { from, to } = range ?? { from: new Date(0), to: new Date(1) };
  const query = useQuery({
    ...trpc.series.query.queryOptions({ subjectIds, metrics, from, to, maxPoints }),
    enabled: range !== null && subjectIds.length > 0,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    // Every tick asks anew, so the answers of ticks before need not be kept long.
    gcTime: 30_000,
  });
  if (!range) return null;
  return {
    from: from.getTime(),
    to: to.getTime(),
    answer: query.data,
    problem: query.error && !query.data ? problemOf(query.error) : null,
    retry: () => void query.refetch(),
  };
}
