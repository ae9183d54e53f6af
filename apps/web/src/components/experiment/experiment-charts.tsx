"use client";
import type { ExperimentDetail, ExperimentSeries } from "@fairlead/domain/experiment";
import { useState } from "react";
import { ChartGroup } from "@/components/charts/plot/cursor.tsx";
import { SaveCsv } from "@/components/table/save-csv.tsx";
import { Button } from "@/components/ui/action/button.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { BrokenPlot } from "./broken-plot.tsx";
import { FollowPlot } from "./follow-plot.tsx";
import { RoutingLanes } from "./routing-lanes.tsx";
import type { Span } from "./span.ts";
import { timelineRows } from "./timeline-rows.ts";

/** A live axis of a few seconds would move too fast. */
const shortestMs = 30_000;

/** The timeline of an experiment: several plots over the same time axis. */
export function ExperimentCharts({ experiment, series }: { experiment: ExperimentDetail; series: ExperimentSeries }) {
  const [zoomed, setZoomed] = useState<Span | null>(null);
  const from = series.from.getTime();
  const isRunning = experiment.state === "running";
  const least = isRunning ? Math.min(shortestMs, experiment.durationSeconds * 1_000) : 0;
  const span = zoomed ?? { from, to: Math.max(series.to.getTime(), from + least) };
  const of = { series, span, onZoom: setZoomed };
  return (
    <Section
      title="Timeline"
      docs="experimentCharts"
      hint={zoomed ? null : "Drag over a chart to zoom in."}
      actions={
        <>
          {zoomed ? (
            <Button size="sm" onClick={() => setZoomed(null)}>
              Reset zoom
            </Button>
          ) : null}
          <SaveCsv name="timeline" rows={() => timelineRows(series)} />
        </>
      }
    >
      <ChartGroup>
        <div className="flex flex-col gap-6">
          <RoutingLanes experiment={experiment} {...of} />
          <FollowPlot {...of} />
          <BrokenPlot {...of} />
        </div>
      </ChartGroup>
    </Section>
  );
}
