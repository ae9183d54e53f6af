"use client";
import type { ExperimentDetail, ExperimentSeries } from "@fairlead/domain/experiment";
import { useMemo } from "react";
import { lineStyle } from "@/components/charts/plot/line-style.ts";
import { frame } from "@/components/charts/plot/plot-frame.ts";
import { countOf, percent } from "@/components/words/numbers.ts";
import { isRoutedAt, layLanes } from "./lay-lanes.ts";
import type { Span } from "./span.ts";
import { type Reading, TimePlot } from "./time-plot.tsx";

const laneHeight = 18;
const barHeight = 10;

/** The routing table over time: which replicas were next hops in routers' kernels. */
export function RoutingLanes(props: {
  experiment: ExperimentDetail;
  series: ExperimentSeries;
  span: Span;
  onZoom: (span: Span) => void;
}) {
  const { experiment, series, span } = props;
  const { lanes, hidden } = useMemo(() => layLanes(experiment.replicas, series), [experiment.replicas, series]);
  const height = frame.top + lanes.length * laneHeight + frame.bottom;
  const colour = lineStyle(0).colour;
  const readings = lanes.map(
    (lane): Reading => ({
      key: lane.agentId,
      title: lane.name,
      at: (moment) =>
        `${isRoutedAt(lane, Math.min(moment, series.to.getTime() - 1)) ? "routed" : "not routed"}, ${percent(lane.share)}`,
    }),
  );
  return (
    <TimePlot
      title="Routing table"
      hint={
        <>
          when routers' kernels sent traffic to each replica, and the share of the time
          {hidden > 0 ? `; ${countOf(hidden, "replica")} more not shown` : null}
        </>
      }
      span={span}
      height={height}
      readings={readings}
      empty={series.routed.length === 0 ? "No kernel routes read yet. The first read takes about a second." : null}
      onZoom={props.onZoom}
      draw={(x, width) =>
        lanes.map((lane, i) => {
          const top = frame.top + i * laneHeight;
          const clip = (at: number) => Math.min(width - frame.right, Math.max(frame.left, x(at)));
          return (
            <g key={lane.agentId} data-lane={lane.name}>
              <path
                d={`M${frame.left} ${top + laneHeight / 2}H${width - frame.right}`}
                stroke="var(--line-strong)"
                strokeDasharray="1 3"
              />
              {lane.spans.map(({ from, to }) => (
                <rect
                  key={from}
                  x={clip(from)}
                  width={Math.max(0, clip(to) - clip(from))}
                  y={top + (laneHeight - barHeight) / 2}
                  height={barHeight}
                  rx={1}
                  fill={colour}
                />
              ))}
            </g>
          );
        })
      }
    >
      {lanes.map((lane, i) => (
        <span
          key={lane.agentId}
          aria-hidden
          title={lane.name}
          className="absolute truncate text-right text-muted text-xs"
          style={{ top: frame.top + i * laneHeight, lineHeight: `${laneHeight}px`, left: 0, width: frame.left - 8 }}
        >
          {lane.name}
        </span>
      ))}
    </TimePlot>
  );
}
