"use client";
import { memo } from "react";
import { Area, CartesianGrid, ComposedChart, Line, XAxis, YAxis } from "recharts";
import type { ChartData, ChartRow } from "./chart-data.ts";
import { lineStyle } from "./line-style.ts";
import { frame } from "./plot-frame.ts";
import { axisFormatter } from "./quantity.ts";
import { formatTick, timeTicks, valueTicks } from "./ticks.ts";

/** More bands than this lie over each other and hide what they should show. */
const mostBands = 2;
const tickStyle = { fill: "var(--muted)", fontSize: 11 };

const momentOf = (row: ChartRow) => row.at;
const keys: { value: (row: ChartRow) => number | null; band: (row: ChartRow) => [number, number] | null }[] = [];

/** Recharts finds values by key, and a path as text would be parsed for every row; a function must stay the same one. */
function keysOf(line: number) {
  keys[line] ??= { value: (row) => row.values[line] ?? null, band: (row) => row.bands[line] ?? null };
  return keys[line];
}

/** The lines, their bands and the axes. The cursor is another layer, so that pointing never draws this again. */
export const LinePlot = memo(function LinePlot(props: {
  data: ChartData;
  from: number;
  to: number;
  width: number;
  height: number;
}) {
  const { data, from, to, width, height } = props;
  const values = valueTicks(data.low, data.high, data.unit);
  const times = timeTicks(from, to, Math.max(2, Math.floor((width - frame.left - frame.right) / 90)));
  const stepMs = (times[1] ?? to) - (times[0] ?? from);
  const bands = data.lines.length <= mostBands;
  return (
    <ComposedChart
      data={data.rows}
      width={width}
      height={height}
      margin={{ top: frame.top, right: frame.right, bottom: 0, left: 0 }}
      accessibilityLayer={false}
      aria-hidden
    >
      <CartesianGrid stroke="var(--line)" vertical={false} />
      <XAxis
        dataKey={momentOf}
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
        domain={[values[0] ?? 0, values.at(-1) ?? 1]}
        ticks={values}
        tickFormatter={axisFormatter(values, data.unit)}
        tick={tickStyle}
        tickSize={4}
        interval={0}
        axisLine={false}
        tickLine={false}
        allowDataOverflow
      />
      {bands
        ? data.lines.map((line, i) => (
            <Area
              key={`band ${line.title}`}
              dataKey={keysOf(i).band}
              type="linear"
              stroke="none"
              fill={lineStyle(i).colour}
              fillOpacity={0.16}
              isAnimationActive={false}
              connectNulls={false}
              activeDot={false}
            />
          ))
        : null}
      {data.lines.map((line, i) => (
        <Line
          key={line.title}
          dataKey={keysOf(i).value}
          type="linear"
          stroke={lineStyle(i).colour}
          strokeDasharray={lineStyle(i).dash}
          strokeWidth={1.5}
          dot={line.pointCount < 3 ? { r: 2, fill: lineStyle(i).colour, strokeWidth: 0 } : false}
          activeDot={false}
          isAnimationActive={false}
          connectNulls={false}
        />
      ))}
    </ComposedChart>
  );
});
