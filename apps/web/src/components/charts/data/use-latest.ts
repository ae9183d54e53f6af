"use client";
import type { MetricName } from "@fairlead/domain/series";
import { useMemo } from "react";
import { useLiveClock } from "@/components/time-range/use-live-clock.ts";
import { useLive } from "@/live/live-provider.tsx";
import { latestSums } from "../node/lines.ts";
import { useSeriesWindow } from "./use-series-window.ts";

const everyMs = 5_000;
const windowMs = 120_000;
const maxPoints = 120;

/** useLatest returns the latest sample of a subject, regardless of the range that the page shows. null until it is known. */
export function useLatest(subjectId: string, metrics: MetricName[]) {
  const { paused } = useLive();
  const now = useLiveClock(everyMs, !paused);
  const span = now > 0 ? { from: now - windowMs, to: now } : null;
  const answer = useSeriesWindow({ subjectIds: [subjectId], metrics, sumBy: "subject" }, span, maxPoints).data?.answer;
  return useMemo(() => (answer ? latestSums(answer) : null), [answer]);
}
