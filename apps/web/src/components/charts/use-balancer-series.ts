"use client";
import type { MetricName } from "@fairlead/domain";
import { useEffect, useState } from "react";
import { type SeriesState, useSeries } from "./use-series.ts";

const rates: MetricName[] = [
  "throughputBps",
  "toClientsBps",
  "bothWaysBps",
  "packetsPerSecond",
  "connectionsLive",
  "connectionsNewPerSecond",
  "healthChangesPerSecond",
];
const times: MetricName[] = ["latencyMsP50", "latencyMsP99", "firstByteMsP50", "firstByteMsP99"];

/** The server answers about so many subjects at once. */
export const mostSubjects = 20;

/**
 * useBalancerSeries asks what replicas measured of their balancers, each for itself. Where these are too many to tell
 * apart it asks for the sums, of what can be added up.
 */
export function useBalancerSeries(subjectIds: string[]): SeriesState | null {
  const [isSummed, setSummed] = useState(false);
  const state = useSeries(
    isSummed ? { subjectIds, metrics: rates, sumBy: "subject" } : { subjectIds, metrics: [...rates, ...times] },
  );
  const isRefused = state?.problem?.code === "invalid";
  useEffect(() => {
    if (isRefused) setSummed(true);
  }, [isRefused]);
  return state;
}
