import type { ChartData } from "./chart-data.ts";
import { bandPath, linearScale, linePath } from "./line-path.ts";
import { lineStyle } from "./line-style.ts";
import { frame } from "./plot-frame.ts";

/** More bands than this lie over each other and hide what they should show. */
const mostBands = 2;

export type PlotSpan = { from: number; to: number; low: number; high: number; width: number; height: number };

/** The lines of a plot, with the band between lowest and highest where there are few enough. */
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
      {lines.length <= mostBands
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
