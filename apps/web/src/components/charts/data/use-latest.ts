"use client";
import type { MetricName } from "@fairlead/domain/series";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useLiveClock } from "@/components/time-range/use-live-clock.ts";
import { useLive } from "@/live/live-provider.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { latestSums } from "../node/lines.ts";

const everyMs = 5_000;
const windowMs = 120_000;

/** useLatest returns the latest sample of a subject, regardless of the range that the page shows. null until it is known. */
export function useLatest(subjectId: string, metrics: MetricName[]) {
  const trpc = useTRPC();
  const { paused } = useLive();
  const now = useLiveClock(everyMs, !paused);
  const query = useQuery({
    ...trpc.series.query.queryOptions({
      subjectIds: [subjectId],
      metrics,
      sumBy: "subject",
      from: new Date(now - windowMs),
      to: new Date(now),
      maxPoints: 120,
    }),
    enabled: now > 0,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
  });
  const answer = query.data;
  return useMemo(() => (answer ? latestSums(answer) : null), [answer]);
}
