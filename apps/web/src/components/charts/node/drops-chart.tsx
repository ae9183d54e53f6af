"use client";
import type { MetricAt } from "@fairlead/domain/series";
import { useMemo } from "react";
import { ChartPanel } from "../chart-panel.tsx";
import { type SeriesState, useSeries } from "../data/use-series.ts";
import { linesOfDrops } from "./drop-lines.ts";

const drops: (MetricAt<"node"> & MetricAt<"balancer">)[] = ["dropsPerSecond"];

/** useDrops fetches the drops of nodes or of load balancers. */
export function useDrops(subjectIds: string[]): SeriesState | null {
  return useSeries({ subjectIds, metrics: drops });
}

/** Dropped packets, by reason. */
export function DropsChart({ state, isSilent }: { state: SeriesState | null; isSilent: boolean }) {
  const answer = state?.answer;
  const data = useMemo(() => (answer ? linesOfDrops(answer) : null), [answer]);
  return (
    <ChartPanel
      title="Dropped"
      hint="packets, by reason"
      state={state}
      data={data}
      expectedLines={1}
      isSilent={isSilent}
      empty="No drops in this range."
    />
  );
}
