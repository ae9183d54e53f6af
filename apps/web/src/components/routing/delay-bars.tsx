"use client";
import { memo } from "react";
import { Bar, BarChart, ReferenceLine, XAxis, YAxis } from "recharts";
import { formatQuantity } from "@/components/charts/data/quantity.ts";
import { lineStyle } from "@/components/charts/plot/line-style.ts";
import { count } from "@/components/words/numbers.ts";
import type { DelayLayout, DelayPanel } from "./lay-delays.ts";

const tickStyle = { fill: "var(--muted)", fontSize: 11 };
const frame = { left: 36, right: 8, top: 6, bottom: 20 } as const;

/** The bars of one phase. The text below has the values for screen readers. */
export const DelayBars = memo(function DelayBars(props: {
  panel: DelayPanel;
  layout: Pick<DelayLayout, "ticks" | "columns">;
  width: number;
  height: number;
}) {
  const { panel, layout, width, height } = props;
  const spans = { announced: panel.announced ? panel.most : 0, withdrawn: panel.withdrawn ? panel.most : 0 };
  const column = (width - frame.left - frame.right) / layout.columns;
  return (
    <BarChart
      data={panel.bars}
      width={width}
      height={height}
      margin={{ top: frame.top, right: frame.right, bottom: 0, left: 0 }}
      stackOffset="sign"
      barSize={Math.max(1, column - 1)}
      accessibilityLayer={false}
      aria-hidden
    >
      <XAxis
        dataKey="at"
        type="number"
        domain={[-0.5, layout.columns - 0.5]}
        ticks={layout.ticks.map(({ at }) => at)}
        tickFormatter={(at: number) => formatQuantity(layout.ticks.find((each) => each.at === at)?.ms, "ms")}
        height={frame.bottom}
        tick={tickStyle}
        tickSize={4}
        interval={0}
        axisLine={{ stroke: "var(--line)" }}
        tickLine={{ stroke: "var(--line-strong)" }}
        allowDataOverflow
      />
      <YAxis
        width={frame.left}
        domain={[-spans.withdrawn, spans.announced]}
        ticks={[-spans.withdrawn, 0, spans.announced]}
        tickFormatter={(value: number) => count(Math.abs(value))}
        tick={tickStyle}
        interval={0}
        axisLine={false}
        tickLine={false}
      />
      <ReferenceLine y={0} stroke="var(--line-strong)" />
      <Bar dataKey="announced" stackId="updates" fill={lineStyle(0).colour} isAnimationActive={false} />
      <Bar dataKey="withdrawn" stackId="updates" fill={lineStyle(1).colour} isAnimationActive={false} />
    </BarChart>
  );
});
