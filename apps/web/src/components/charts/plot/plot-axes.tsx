import { axisFormatter, type Unit } from "../data/quantity.ts";
import { linearScale } from "./line-path.ts";
import { frame, type PlotSpan } from "./plot-frame.ts";
import { formatTick, timeTicks } from "./ticks.ts";

const tickLength = 4;
/** The space that a time label needs to avoid its neighbour and the edge of the box. */
const labelDistance = 90;
const labelEdge = 24;

/** A horizontal line for each tick, and the times below. */
export function PlotAxes({ values, unit, span }: { values: number[]; unit: Unit; span: PlotSpan }) {
  const { from, to, width, height } = span;
  const [left, right, bottom] = [frame.left, width - frame.right, height - frame.bottom];
  const x = linearScale(from, to, left, right);
  const y = linearScale(span.low, span.high, bottom, frame.top);
  const times = timeTicks(from, to, Math.max(2, Math.floor((right - left) / labelDistance)));
  const stepMs = (times[1] ?? to) - (times[0] ?? from);
  const formatValue = axisFormatter(values, unit);
  /** A line one pixel wide is sharp only if it is aligned to a pixel. */
  const sharp = (place: number) => Math.floor(place) + 0.5;
  return (
    <g fontSize={11} fill="var(--muted)" stroke="none">
      {values.map((value) => (
        <g key={value}>
          <path d={`M${left},${sharp(y(value))}H${right}`} stroke="var(--line)" />
          <text x={left - 6} y={y(value)} dy="0.355em" textAnchor="end">
            {formatValue(value)}
          </text>
        </g>
      ))}
      {times.map((at) => (
        <g key={at}>
          <path d={`M${sharp(x(at))},${bottom}v${tickLength}`} stroke="var(--line)" />
          {x(at) <= width - labelEdge ? (
            <text x={x(at)} y={bottom + 6} dy="0.71em" textAnchor="middle">
              {formatTick(at, stepMs)}
            </text>
          ) : null}
        </g>
      ))}
    </g>
  );
}
