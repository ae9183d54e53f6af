"use client";
import { type ReactNode, useId } from "react";
import { useCursor } from "@/components/charts/plot/cursor.tsx";
import { linearScale, type Scale } from "@/components/charts/plot/line-path.ts";
import { frame } from "@/components/charts/plot/plot-frame.ts";
import { PlotOverlay } from "@/components/charts/plot/plot-overlay.tsx";
import { formatInstant } from "@/components/charts/plot/ticks.ts";
import { useWidth } from "@/components/charts/plot/use-width.ts";
import { PlotAxes } from "./plot-bands.tsx";
import type { Span } from "./span.ts";

/** One line of a plot: its name, and its value at an instant. */
export type Reading = { key: string; title: string; mark?: ReactNode; at: (moment: number) => string };

/**
 * A plot over the time of an experiment, with the same values as text: those under the cursor of any plot of the page,
 * else the latest.
 */
export function TimePlot(props: {
  title: string;
  hint?: ReactNode;
  span: Span;
  height: number;
  readings: readonly Reading[];
  /** The reason for an empty plot. */
  empty?: string | null;
  onZoom: (span: Span) => void;
  draw: (x: Scale, width: number) => ReactNode;
  children?: ReactNode;
}) {
  const { title, span, height, readings } = props;
  const { from, to } = span;
  const id = useId();
  const [box, width] = useWidth<HTMLDivElement>();
  const x = linearScale(from, to, frame.left, width - frame.right);
  const describe = (at: number) =>
    `${formatInstant(at, to - from)}: ${readings.map((each) => `${each.title} ${each.at(at)}`).join(", ")}`;
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-1">
      <header className="flex min-h-6 flex-wrap items-baseline gap-x-3">
        <h3 id={id} className="font-medium text-sm">
          {title}
        </h3>
        {props.hint ? <span className="text-muted text-xs">{props.hint}</span> : null}
      </header>
      {props.empty ? (
        <p className="py-2 text-muted text-sm">{props.empty}</p>
      ) : (
        <>
          <div ref={box} className="relative" style={{ height }}>
            {width > 0 ? (
              <>
                <svg width={width} height={height} className="absolute inset-0 overflow-hidden" aria-hidden>
                  <PlotAxes span={span} x={x} width={width} height={height} />
                  {props.draw(x, width)}
                </svg>
                {props.children}
                <PlotOverlay
                  title={title}
                  from={from}
                  to={to}
                  width={width}
                  describe={describe}
                  onZoom={(left, right) => props.onZoom({ from: left, to: right })}
                />
              </>
            ) : null}
          </div>
          <Readings title={title} span={span} readings={readings} />
        </>
      )}
    </section>
  );
}

function Readings({ title, span, readings }: { title: string; span: Span; readings: readonly Reading[] }) {
  const [cursor] = useCursor();
  const isPointed = cursor !== null && cursor >= span.from && cursor <= span.to;
  const at = isPointed ? cursor : span.to;
  return (
    <div className="tabular flex flex-wrap gap-x-5 gap-y-1 text-xs" style={{ paddingLeft: frame.left }}>
      <dl aria-label={`${title}: figures`} className="contents">
        {readings.map((reading) => (
          <div key={reading.key} className="flex items-center gap-1.5">
            <dt className="flex items-center gap-1.5 text-muted">
              {reading.mark}
              {reading.title}
            </dt>
            <dd className="whitespace-nowrap">{reading.at(at)}</dd>
          </div>
        ))}
      </dl>
      {isPointed ? <span className="text-muted">at {formatInstant(at, span.to - span.from)}</span> : null}
    </div>
  );
}
