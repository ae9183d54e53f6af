import { linearScale, type Scale } from "@/components/charts/plot/line-path.ts";
import { frame } from "@/components/charts/plot/plot-frame.ts";
import { formatTick, timeTicks } from "@/components/charts/plot/ticks.ts";
import type { Span } from "./span.ts";

const textStyle = { fill: "var(--muted)", fontSize: 11 } as const;

/** The time axis of a plot. All plots of the page share it, so that they can be compared vertically. */
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

/** bandScale maps the values of a band to its height. */
export function bandScale({ top, bottom, values }: Band): Scale {
  return linearScale(values[0] ?? 0, values.at(-1) ?? 1, bottom, top);
}

/** The tick values of a band, with a hairline for each. */
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
