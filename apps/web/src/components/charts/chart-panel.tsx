"use client";
import { type ReactNode, useCallback, useId, useRef } from "react";
import { useTimeRange } from "@/components/time-range/use-time-range.ts";
import { Button } from "@/components/ui/action/button.tsx";
import { classNames } from "@/components/ui/class-names.ts";
import { StatusGlyph } from "@/components/ui/status/status-badge.tsx";
import { type ChartData, rowAt } from "./data/chart-data.ts";
import { formatQuantity } from "./data/quantity.ts";
import type { SeriesState } from "./data/use-series.ts";
import { DownloadMenu } from "./download/download-menu.tsx";
import { Legend } from "./plot/legend.tsx";
import { LinePlot } from "./plot/line-plot.tsx";
import { PlotOverlay } from "./plot/plot-overlay.tsx";
import { LegendSkeleton, PlotSkeleton } from "./plot/plot-skeleton.tsx";
import { formatInstant } from "./plot/ticks.ts";
import { useDrawn } from "./plot/use-drawn.ts";
import { useWidth } from "./plot/use-width.ts";

const plotHeight = 168;
const legendRowHeight = 20;

export type ChartPanelProps = {
  title: string;
  /** What the values mean, in a few words. */
  hint?: ReactNode;
  state: SeriesState | null;
  /** The data, once it has arrived. */
  data: ChartData | null;
  /** How many lines to expect, so that the layout stays stable when they arrive. */
  expectedLines: number;
  /** The source is silent, so the data is old: greys the chart. The section gives the reason. */
  isSilent?: boolean;
  /** The text for an empty chart. */
  empty: string;
};

/** One chart: its title, its lines, and the same values as a table. Every state has the same size. */
export function ChartPanel(props: ChartPanelProps) {
  const { title, hint, state, data, isSilent = false } = props;
  const id = useId();
  const panel = useRef<HTMLElement>(null);
  const isDrawn = data !== null && state !== null && data.rows.length > 0;
  return (
    <section ref={panel} aria-labelledby={id} className="flex min-w-0 flex-col gap-1">
      <header className="flex min-h-6 flex-wrap items-baseline gap-x-3">
        <h3 id={id} className="font-medium text-sm">
          {title}
        </h3>
        {hint ? <span className="text-muted text-xs">{hint}</span> : null}
        <span className="ml-auto flex items-center gap-2">
          {isSilent ? (
            <span className="inline-flex items-center gap-1.5 text-silent text-xs">
              <StatusGlyph shape="dash" />
              silent
            </span>
          ) : null}
          {isDrawn ? (
            <DownloadMenu shown={{ title, data, from: state.from, to: state.to }} panel={panel} />
          ) : (
            // As large as the icon inside the button, or the title would move.
            <span aria-hidden className="-my-1 inline-flex size-7 items-center justify-center">
              <span className="size-4" />
            </span>
          )}
        </span>
      </header>
      <div className={classNames("flex flex-col gap-1", isSilent && "grayscale")}>
        <Plot {...props} />
        <div style={{ minHeight: (props.expectedLines + 1) * legendRowHeight }}>
          {data && state && data.lines.length > 0 ? (
            <Legend title={title} data={data} from={state.from} to={state.to} stale={isSilent} />
          ) : data || state?.problem ? null : (
            <LegendSkeleton lines={props.expectedLines} />
          )}
        </div>
      </div>
    </section>
  );
}

function Plot({ title, state, data, empty }: ChartPanelProps) {
  const [measure, width] = useWidth<HTMLDivElement>();
  const box = useRef<HTMLDivElement>(null);
  const place = useCallback(
    (element: HTMLDivElement | null) => {
      box.current = element;
      return measure(element);
    },
    [measure],
  );
  const [, setRange] = useTimeRange();
  const zoom = useCallback(
    (from: number, to: number) => setRange({ kind: "absolute", from: new Date(from), to: new Date(to) }),
    [setRange],
  );
  const isEmpty = data !== null && data.rows.length === 0;
  const drawn = useDrawn(box, data && state && !isEmpty ? { data, from: state.from, to: state.to } : null);
  return (
    <div ref={place} className="relative" style={{ height: plotHeight }} aria-busy={!data && !state?.problem}>
      {drawn && width > 0 ? (
        <>
          <LinePlot data={drawn.data} from={drawn.from} to={drawn.to} width={width} height={plotHeight} />
          <PlotOverlay
            title={title}
            from={drawn.from}
            to={drawn.to}
            width={width}
            describe={(at) => describeMoment(drawn.data, at, drawn.from, drawn.to)}
            onZoom={zoom}
          />
        </>
      ) : (
        <PlotSkeleton still={isEmpty || Boolean(state?.problem)}>
          {state?.problem ? (
            <div role="alert" className="flex flex-col items-center gap-2">
              <p className="text-sm">{state.problem.message} Traffic is not affected: this page only reads.</p>
              <Button size="sm" onClick={state.retry}>
                Try again
              </Button>
            </div>
          ) : isEmpty ? (
            <p className="text-muted text-xs">{empty}</p>
          ) : null}
        </PlotSkeleton>
      )}
    </div>
  );
}

function describeMoment(data: ChartData, at: number, from: number, to: number): string {
  const row = rowAt(data.rows, at, (to - from) / 50);
  const figures = data.lines.map((line, i) => `${line.title} ${formatQuantity(row?.values[i], data.unit)}`);
  return `${formatInstant(at, to - from)}: ${figures.join(", ")}`;
}
