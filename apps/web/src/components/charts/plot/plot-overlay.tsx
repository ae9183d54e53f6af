"use client";
import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { classNames } from "@/components/ui/class-names.ts";
import { useChartEvents } from "../events/chart-events.tsx";
import { EventLabel, EventMarks } from "../events/event-marks.tsx";
import { marksOf, nearestMark } from "../events/marks.ts";
import { useCursor } from "./cursor.tsx";
import { frame, momentAt, positionOf } from "./plot-frame.ts";
import { formatInstant } from "./ticks.ts";
import { placeOf, useRangeDrag } from "./use-range-drag.ts";

/**
 * The layer over a plot: marks events, shows the shared cursor, follows the pointer and the arrow keys, and zooms into
 * a range that is dragged or touched with two fingers. The chart that the user points at also shows the text of an event.
 */
export function PlotOverlay(props: {
  title: string;
  from: number;
  to: number;
  width: number;
  /** The values of the chart at an instant, for screen readers. */
  describe: (at: number) => string;
  onZoom: (from: number, to: number) => void;
}) {
  const { from, to, width } = props;
  const [at, setCursor] = useCursor();
  const { dragged, ...drag } = useRangeDrag((left, right) =>
    props.onZoom(momentAt(left, width, from, to), momentAt(right, width, from, to)),
  );
  const shown = at !== null && at >= from && at <= to ? positionOf(at, width, from, to) : null;
  const marks = marksOf(useChartEvents(), width, from, to);
  const [isHere, setHere] = useState(false);
  const named = isHere && shown !== null ? nearestMark(marks, shown) : null;

  function move(event: PointerEvent<HTMLElement>): void {
    setCursor(momentAt(placeOf(event), width, from, to));
    drag.move(event);
  }
  function leave(): void {
    setHere(false);
    if (dragged === null) setCursor(null);
  }
  function step(event: KeyboardEvent): void {
    const next = keyTarget(event.key, at ?? to, from, to);
    if (next === undefined) return;
    event.preventDefault();
    setCursor(next);
  }

  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={`Moment in ${props.title}`}
      aria-valuemin={from}
      aria-valuemax={to}
      aria-valuenow={Math.round(at ?? to)}
      aria-valuetext={props.describe(at ?? to)}
      className="absolute inset-0 cursor-crosshair touch-pan-y"
      onPointerEnter={() => setHere(true)}
      onFocus={() => setHere(true)}
      onPointerMove={move}
      onPointerDown={drag.press}
      onPointerUp={drag.release}
      onPointerCancel={drag.cancel}
      onPointerLeave={leave}
      onBlur={leave}
      onKeyDown={step}
    >
      <EventMarks marks={marks} />
      {named ? <EventLabel mark={named} width={width} /> : null}
      {dragged ? (
        <div
          className="absolute border-accent border-x bg-accent/15"
          style={{
            left: Math.max(frame.left, dragged.left),
            width: Math.min(dragged.right - dragged.left, width - frame.right - dragged.left),
            top: frame.top,
            bottom: frame.bottom,
          }}
        />
      ) : null}
      {shown === null || at === null ? null : (
        <>
          <div
            className="pointer-events-none absolute w-px bg-ink/50"
            style={{ left: shown, top: frame.top, bottom: frame.bottom }}
          />
          <span
            className={classNames(
              "tabular pointer-events-none absolute bottom-0 rounded-sm bg-ink px-1 text-canvas text-xs",
              shown > width / 2 ? "-translate-x-full" : "",
            )}
            style={{ left: shown }}
          >
            {formatInstant(at, to - from)}
          </span>
        </>
      )}
    </div>
  );
}

function keyTarget(key: string, at: number, from: number, to: number): number | undefined {
  const step = (to - from) / 100;
  if (key === "ArrowLeft") return Math.max(from, at - step);
  if (key === "ArrowRight") return Math.min(to, at + step);
  if (key === "PageUp") return Math.max(from, at - step * 10);
  if (key === "PageDown") return Math.min(to, at + step * 10);
  if (key === "Home") return from;
  return key === "End" ? to : undefined;
}
