"use client";
import { memo, useId } from "react";
import { CartesianGrid, ComposedChart, XAxis, YAxis } from "recharts";
import type { ChartData } from "./chart-data.ts";
import { frame } from "./plot-frame.ts";
import { PlotLines } from "./plot-lines.tsx";
import { axisFormatter } from "./quantity.ts";
import { formatTick, timeTicks, valueTicks } from "./ticks.ts";

const tickStyle = { fill: "var(--muted)", fontSize: 11 };

/**
 * The axes, and the lines over them. Recharts lays out and draws the axes; the lines are paths of our own, because
 * its lines cost five times as much at every tick of a live chart. The cursor is another layer, so that pointing
 * never draws this again.
 */
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
  const times = timeTicks(from, to, Math.max(2, Math.floor((width - frame.left - frame.right) / 90)));
  const stepMs = (times[1] ?? to) - (times[0] ?? from);
  return (
    <ComposedChart
      // Without any row there would be no axis; the two ends are enough for one.
      data={[{ at: from }, { at: to }]}
      width={width}
      height={height}
      margin={{ top: frame.top, right: frame.right, bottom: 0, left: 0 }}
      accessibilityLayer={false}
      aria-hidden
    >
      <CartesianGrid stroke="var(--line)" vertical={false} />
      <XAxis
        dataKey="at"
        type="number"
        scale="time"
        domain={[from, to]}
        ticks={times}
        tickFormatter={(at: number) => formatTick(at, stepMs)}
        height={frame.bottom}
        tick={tickStyle}
        tickSize={4}
        interval="preserveStart"
        axisLine={{ stroke: "var(--line)" }}
        tickLine={{ stroke: "var(--line)" }}
        allowDataOverflow
      />
      <YAxis
        width={frame.left}
        domain={[low, high]}
        ticks={values}
        tickFormatter={axisFormatter(values, data.unit)}
        tick={tickStyle}
        tickSize={4}
        interval={0}
        axisLine={false}
        tickLine={false}
        allowDataOverflow
      />
      <PlotLines data={data} span={{ from, to, low, high, width, height }} clipId={clipId} />
    </ComposedChart>
  );
});
