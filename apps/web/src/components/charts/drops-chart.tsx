"use client";
import type { MetricName } from "@fairlead/domain";
import { useMemo } from "react";
import { ChartPanel } from "./chart-panel.tsx";
import { linesOfDrops } from "./drop-lines.ts";
import { type SeriesState, useSeries } from "./use-series.ts";

const drops: MetricName[] = ["dropsPerSecond"];

/** useDrops asks what was dropped at nodes, or of load balancers. */
export function useDrops(subjectIds: string[]): SeriesState | null {
  return useSeries({ subjectIds, metrics: drops });
}

/** What does not get through, and why? */
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
      empty="Nothing was dropped in this range."
    />
  );
}
