import { linearScale, type Scale } from "@/components/charts/line-path.ts";
import { frame } from "@/components/charts/plot-frame.ts";
import { formatTick, timeTicks } from "@/components/charts/ticks.ts";
import type { Span } from "./time-plot.tsx";

const textStyle = { fill: "var(--muted)", fontSize: 11 } as const;

/** The time under a plot. All plots of the page have the same, so that they can be read down. */
export function PlotAxes({ span, x, width, height }: { span: Span; x: Scale; width: number; height: number }) {
  const { from, to } = span;
  const times = timeTicks(from, to, Math.max(2, Math.floor((width - frame.left - frame.right) / 90)));
  const stepMs = (times[1] ?? to) - (times[0] ?? from);
  return (
    <g transform={`translate(0 ${height - frame.bottom})`}>
      <path d={`M${frame.left} 0.5H${width - frame.right}`} stroke="var(--line-strong)" />
      {times.map((at) => (
        <g key={at} transform={`translate(${Math.round(x(at)) + 0.5} 0)`}>
          <path d="M0 0v4" stroke="var(--line-strong)" />
          <text y={16} textAnchor="middle" {...textStyle}>
            {formatTick(at, stepMs)}
          </text>
        </g>
      ))}
    </g>
  );
}

export type Band = { top: number; bottom: number; values: readonly number[] };

/** bandScale puts the values of a band between its edges. */
export function bandScale({ top, bottom, values }: Band): Scale {
  return linearScale(values[0] ?? 0, values.at(-1) ?? 1, bottom, top);
}

/** The values beside a band of a plot, with a hairline across it at each. */
export function BandAxis({ band, format, width }: { band: Band; format: (value: number) => string; width: number }) {
  const y = bandScale(band);
  return (
    <g>
      {band.values.map((value) => (
        <g key={value} transform={`translate(0 ${Math.round(y(value)) + 0.5})`}>
          <path d={`M${frame.left} 0H${width - frame.right}`} stroke="var(--line)" />
          <text x={frame.left - 6} y={4} textAnchor="end" {...textStyle}>
            {format(value)}
          </text>
        </g>
      ))}
    </g>
  );
}
