"use client";
import type { MetricName } from "@fairlead/domain";
import { useMemo } from "react";
import { linesOfMetric, mostLines, type NameOf } from "./balancer-lines.ts";
import { ChartPanel } from "./chart-panel.tsx";
import { linesOfDrops } from "./drop-lines.ts";
import { type SeriesState, useSeries } from "./use-series.ts";

const drops: MetricName[] = ["dropsPerSecond"];

/** useDrops asks what was dropped at nodes, or of load balancers. */
export function useDrops(subjectIds: string[]): SeriesState | null {
  return useSeries({ subjectIds, metrics: drops });
}

/** useBackendDrops asks what was dropped on the way to backends, whatever the reason and whoever the replica. */
export function useBackendDrops(backendIds: string[]): SeriesState | null {
  return useSeries({ subjectIds: backendIds, metrics: drops, sumBy: "subject" });
}

/** On the way to whom does it not get through? */
export function BackendDropsChart({
  state,
  nameOf,
  of,
  isSilent,
}: {
  state: SeriesState | null;
  nameOf: NameOf;
  /** Whose, where they are not all; empty otherwise. */
  of: string;
  isSilent: boolean;
}) {
  const answer = state?.answer;
  const lines = useMemo(
    () => (answer ? linesOfMetric(answer, "dropsPerSecond", "perSecond", nameOf, "all of them") : null),
    [answer, nameOf],
  );
  const hidden = lines && lines.hidden > 0 ? `the ${mostLines} largest, ${lines.hidden} more` : "";
  return (
    <ChartPanel
      title="Dropped on the way to backends"
      hint={["packets, or connections that could not be made", of, hidden].filter(Boolean).join("; ")}
      state={state}
      data={lines?.data ?? null}
      expectedLines={1}
      isSilent={isSilent}
      empty="Nothing was dropped in this range."
    />
  );
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
