"use client";
import type { ExperimentDetail, ExperimentSeries } from "@fairlead/domain";
import { useState } from "react";
import { ChartGroup } from "@/components/charts/cursor.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Section } from "@/components/ui/section.tsx";
import { BrokenPlot } from "./broken-plot.tsx";
import { FollowPlot } from "./follow-plot.tsx";
import { RoutingLanes } from "./routing-lanes.tsx";
import type { Span } from "./time-plot.tsx";

/** An axis of a few seconds would race. */
const shortestMs = 30_000;

/** What happened in the course of an experiment, plot under plot over one time. */
export function ExperimentCharts({ experiment, series }: { experiment: ExperimentDetail; series: ExperimentSeries }) {
  const [zoomed, setZoomed] = useState<Span | null>(null);
  const from = series.from.getTime();
  const isRunning = experiment.state === "running";
  const least = isRunning ? Math.min(shortestMs, experiment.lastsSeconds * 1_000) : 0;
  const span = zoomed ?? { from, to: Math.max(series.to.getTime(), from + least) };
  const of = { series, span, onZoom: setZoomed };
  return (
    <Section
      title="Course"
      hint={zoomed ? null : "Drag over a chart to look closer."}
      actions={
        zoomed ? (
          <Button size="sm" onClick={() => setZoomed(null)}>
            Show all of it
          </Button>
        ) : null
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
