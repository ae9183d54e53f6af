import type { ChartData } from "../data/chart-data.ts";
import { bandPath, linearScale, linePath } from "./line-path.ts";
import { lineStyle } from "./line-style.ts";
import { frame, type PlotSpan } from "./plot-frame.ts";

/** More bands than this overlap and hide each other. */
const maxBands = 2;

/** The lines of a plot, with the band between minimum and maximum if there are few enough. */
export function PlotLines({ data, span, clipId }: { data: ChartData; span: PlotSpan; clipId: string }) {
  const x = linearScale(span.from, span.to, frame.left, span.width - frame.right);
  const y = linearScale(span.low, span.high, span.height - frame.bottom, frame.top);
  const { rows, lines } = data;
  return (
    <g fill="none" strokeWidth={1.5} strokeLinejoin="round" clipPath={`url(#${clipId})`}>
      <clipPath id={clipId}>
        <rect
          x={frame.left}
          y={frame.top - 1}
          width={Math.max(0, span.width - frame.left - frame.right)}
          height={span.height - frame.top - frame.bottom + 2}
        />
      </clipPath>
      {lines.length <= maxBands
        ? lines.map((line, i) => (
            <path
              key={`band ${line.title}`}
              d={bandPath(
                rows.map((row) => ({ at: row.at, band: row.bands[i] ?? null })),
                x,
                y,
              )}
              fill={lineStyle(i).colour}
              fillOpacity={0.16}
            />
          ))
        : null}
      {lines.map((line, i) => (
        <path
          key={line.title}
          data-line={line.title}
          d={linePath(
            rows.map((row) => ({ at: row.at, value: row.values[i] ?? null })),
            x,
            y,
          )}
          stroke={lineStyle(i).colour}
          strokeDasharray={lineStyle(i).dash}
        />
      ))}
    </g>
  );
}
