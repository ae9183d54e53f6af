"use client";
import { memo, useId } from "react";
import type { ChartData } from "../data/chart-data.ts";
import { PlotAxes } from "./plot-axes.tsx";
import { PlotLines } from "./plot-lines.tsx";
import { valueTicks } from "./ticks.ts";

/** The axes and the lines over them. The cursor is a separate layer, so that moving it never redraws this. */
export const LinePlot = memo(function LinePlot(props: {
  data: ChartData;
  from: number;
  to: number;
  width: number;
  height: number;
}) {
  const { data, from, to, width, height } = props;
  const clipId = useId();
  const values = valueTicks(data.low, data.high, data.unit);
  const [low = 0, high = 1] = [values[0], values.at(-1)];
  const span = { from, to, low, high, width, height };
  return (
    <svg width={width} height={height} aria-hidden data-plot>
      <PlotAxes values={values} unit={data.unit} span={span} />
      <PlotLines data={data} span={span} clipId={clipId} />
    </svg>
  );
});
