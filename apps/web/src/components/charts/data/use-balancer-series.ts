"use client";
import { metrics } from "@fairlead/domain/series";
import { useEffect, useState } from "react";
import { drawnMetrics } from "../balancer/chart-list.ts";
import { type SeriesState, useSeries } from "./use-series.ts";

const summable = drawnMetrics.filter((metric) => metrics[metric].addsUp);

/** The server accepts this many subjects per query. */
export const maxSubjects = 20;

/**
 * useBalancerSeries fetches what each replica measured of its balancers. If there are too many, it fetches the sums of
 * the metrics that can be summed.
 */
export function useBalancerSeries(subjectIds: string[]): SeriesState | null {
  const [isSummed, setSummed] = useState(false);
  const state = useSeries(
    isSummed ? { subjectIds, metrics: summable, sumBy: "subject" } : { subjectIds, metrics: drawnMetrics },
  );
  const isRefused = state?.problem?.code === "invalid";
  useEffect(() => {
    if (isRefused) setSummed(true);
  }, [isRefused]);
  return state;
}
