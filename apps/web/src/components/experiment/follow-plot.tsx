"use client";
import type { ExperimentSeries } from "@fairlead/domain/experiment";
import { type ReactNode, useId, useMemo } from "react";
import { type ChartData, rowAt } from "@/components/charts/data/chart-data.ts";
import { axisFormatter, formatQuantity } from "@/components/charts/data/quantity.ts";
import { linePath } from "@/components/charts/plot/line-path.ts";
import { lineStyle } from "@/components/charts/plot/line-style.ts";
import { frame } from "@/components/charts/plot/plot-frame.ts";
import { valueTicks } from "@/components/charts/plot/ticks.ts";
import { layLine } from "./lay-lines.ts";
import { countTicks, stepAt, stepPath, stepsOf } from "./lay-steps.ts";
import { type Band, BandAxis, bandScale } from "./plot-bands.tsx";
import type { Span } from "./span.ts";
import { type Reading, TimePlot } from "./time-plot.tsx";

const replicasHeight = 56;
const lineHeight = 84;
const between = 18;

/** How throughput follows the replica count: desired and routed replicas above throughput and answered requests. */
export function FollowPlot({
  series,
  span,
  onZoom,
}: {
  series: ExperimentSeries;
  span: Span;
  onZoom: (span: Span) => void;
}) {
  const clipId = useId();
  const { desired, routed, lines } = useMemo(() => layFollow(series), [series]);
  const bands = layBands(Math.max(...desired.map((each) => each.value), 1), lines);
  const [replicas, ...others] = bands;
  const end = series.to.getTime();
  const reach = (span.to - span.from) / 20;
  const steps = [
    { title: "desired", steps: desired, style: lineStyle(1), width: 3.5 },
    { title: "routed", steps: routed, style: { ...lineStyle(0), dash: "" }, width: 1.5 },
  ];
  const readings: Reading[] = [
    ...steps.map(({ title, steps: own, style, width }) => ({
      key: title,
      title: `Replicas ${title}`,
      mark: <Mark colour={style.colour} width={width} />,
      at: (moment: number) => `${stepAt(own, moment) ?? "–"}`,
    })),
    ...lines.map((data, i) => ({
      key: data.lines[0]?.title ?? "",
      title: data.lines[0]?.title ?? "",
      mark: <Mark colour={lineStyle(i + 2).colour} width={1.5} />,
      at: (moment: number) => formatQuantity(rowAt(data.rows, Math.min(moment, end), reach)?.values[0], data.unit),
    })),
  ];
  return (
    <TimePlot
      title="Throughput follows the replica count"
      hint="all balancers of the cluster; answered requests if clients report them"
      span={span}
      height={(bands.at(-1)?.bottom ?? 0) + frame.bottom}
      readings={readings}
      onZoom={onZoom}
      draw={(x, width) => (
        <>
          <Clip id={clipId} width={width} height={bands.at(-1)?.bottom ?? 0} />
          {replicas ? <BandAxis band={replicas} format={String} width={width} /> : null}
          {others.map((band, i) => (
            <BandAxis
              key={lines[i]?.lines[0]?.title}
              band={band}
              format={axisFormatter([...band.values], lines[i]?.unit ?? "count")}
              width={width}
            />
          ))}
          <g clipPath={`url(#${clipId})`} fill="none">
            {replicas
              ? steps.map(({ title, steps: own, style, width: stroke }) => (
                  <path
                    key={title}
                    data-line={title}
                    d={stepPath(own, end, x, bandScale(replicas))}
                    stroke={style.colour}
                    strokeWidth={stroke}
                  />
                ))
              : null}
            {lines.map((data, i) => {
              const band = others[i];
              return band ? (
                <path
                  key={data.lines[0]?.title}
                  data-line={data.lines[0]?.title}
                  d={linePath(
                    data.rows.map((row) => ({ at: row.at, value: row.values[0] ?? null })),
                    x,
                    bandScale(band),
                  )}
                  stroke={lineStyle(i + 2).colour}
                  strokeWidth={1.5}
                  strokeLinejoin="round"
                />
              ) : null;
            })}
          </g>
        </>
      )}
    />
  );
}

function layFollow(series: ExperimentSeries) {
  const lines = [
    layLine("bps", "Throughput", series.throughputBps),
    layLine("perSecond", "Answered requests", series.requestsPerSecond),
  ];
  return {
    desired: stepsOf(series.desired, (each) => each.replicaCount),
    routed: stepsOf(series.routed, (each) => each.replicaCount),
    lines: lines.filter((data) => data.rows.length > 0),
  };
}

/** layBands stacks the bands of a plot: the replica count above each line. */
function layBands(mostReplicas: number, lines: readonly ChartData[]): Band[] {
  let top: number = frame.top;
  return [
    { height: replicasHeight, values: countTicks(mostReplicas) },
    ...lines.map(({ low, high, unit }) => ({ height: lineHeight, values: valueTicks(low, high, unit, 3) })),
  ].map(({ height, values }) => {
    const band = { top, bottom: top + height, values };
    top = band.bottom + between;
    return band;
  });
}

/** The size of a line sample in the legend, in text height. */
export function Mark({ colour, width }: { colour: string; width: number }): ReactNode {
  return (
    <svg viewBox="0 0 14 8" className="h-2 w-3.5 shrink-0" aria-hidden>
      <path d="M0 4h14" stroke={colour} strokeWidth={width} />
    </svg>
  );
}

/** Clips lines to the axes when the plot is zoomed. */
export function Clip({ id, width, height }: { id: string; width: number; height: number }) {
  return (
    <clipPath id={id}>
      <rect x={frame.left} y={0} width={Math.max(0, width - frame.left - frame.right)} height={height + 2} />
    </clipPath>
  );
}
