"use client";
import { briefMoney } from "@fairlead/domain/numbers";
import { memo } from "react";
import { CartesianGrid, Line, LineChart, ReferenceLine, Tooltip, XAxis, YAxis } from "recharts";
import { LineSample } from "@/components/charts/plot/legend.tsx";
import { lineStyle } from "@/components/charts/plot/line-style.ts";
import { type CostLines, decades } from "./lay-curves.ts";
import { monthText } from "./money-text.ts";
import { trafficText } from "./traffic-text.ts";

const tickStyle = { fill: "var(--muted)", fontSize: 11 };
const frame = { left: 56, right: 12, top: 10, bottom: 24 } as const;

type Row = { at: number } & Record<string, number | null>;

/**
 * The lines of monthly cost by traffic, both on logarithmic scales. The table below has the same values for screen
 * readers.
 */
export const CostPlot = memo(function CostPlot(props: {
  drawn: CostLines;
  average: number;
  currency: string;
  width: number;
  height: number;
}) {
  const { drawn, average, currency } = props;
  const [low, high] = [drawn.low / 1.2, drawn.high * 1.2];
  const [from = 1, to = 10] = [drawn.mbps[0], drawn.mbps.at(-1)];
  const rows: Row[] = drawn.mbps.map((at, i) => ({
    at,
    ...Object.fromEntries(drawn.lines.map(({ key, values }) => [key, values[i] || null])),
  }));
  return (
    <LineChart
      data={rows}
      width={props.width}
      height={props.height}
      margin={{ top: frame.top, right: frame.right, bottom: 0, left: 0 }}
      accessibilityLayer={false}
      aria-hidden
    >
      <CartesianGrid stroke="var(--line)" vertical={false} />
      <XAxis
        dataKey="at"
        type="number"
        scale="log"
        domain={[from, to]}
        ticks={decades(from, to)}
        tickFormatter={(mbps: number) => trafficText(mbps)}
        height={frame.bottom}
        tick={tickStyle}
        tickSize={4}
        interval="preserveStart"
        axisLine={{ stroke: "var(--line-strong)" }}
        tickLine={{ stroke: "var(--line-strong)" }}
        allowDataOverflow
      />
      <YAxis
        width={frame.left}
        scale="log"
        domain={[low, high]}
        ticks={decades(low, high)}
        tickFormatter={(micros: number) => briefMoney(micros, currency)}
        tick={tickStyle}
        interval="preserveStart"
        axisLine={false}
        tickLine={false}
        allowDataOverflow
      />
      {average >= from && average <= to ? (
        <ReferenceLine
          x={average}
          stroke="var(--ink)"
          strokeOpacity={0.55}
          strokeDasharray="2 3"
          label={{ value: "yours", position: "insideTopRight", fill: "var(--ink)", fontSize: 11 }}
        />
      ) : null}
      <Tooltip
        isAnimationActive={false}
        cursor={{ stroke: "var(--line-strong)" }}
        content={({ active, label }) =>
          active && typeof label === "number" ? <Reading drawn={drawn} at={label} currency={currency} /> : null
        }
      />
      {drawn.lines.map(({ key }, i) => (
        <Line
          key={key}
          dataKey={(row: Row) => row[key] ?? null}
          name={key}
          stroke={lineStyle(i).colour}
          strokeDasharray={lineStyle(i).dash}
          strokeWidth={2}
          dot={false}
          activeDot={{ r: 3 }}
          isAnimationActive={false}
          connectNulls={false}
        />
      ))}
    </LineChart>
  );
});

function Reading({ drawn, at, currency }: { drawn: CostLines; at: number; currency: string }) {
  const i = drawn.mbps.indexOf(at);
  return (
    <div className="tabular flex flex-col gap-1 rounded-md border bg-raised px-2.5 py-2 text-xs shadow-float">
      <span className="text-muted">{trafficText(at)}per month</span>
      {drawn.lines.map(({ key, title, values }, line) => {
        const micros = values[i];
        return (
          <span key={key} className="flex items-center gap-2">
            <LineSample style={lineStyle(line)} />
            <span className="flex-1">{title}</span>
            <span>{micros === null || micros === undefined ? "over capacity" : monthText(micros, currency)}</span>
          </span>
        );
      })}
    </div>
  );
}
