"use client";
import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { classNames } from "@/components/ui/class-names.ts";
import { useChartEvents } from "../events/chart-events.tsx";
import { EventLabel, EventMarks } from "../events/event-marks.tsx";
import { marksOf, nearestMark } from "../events/marks.ts";
import { useCursor } from "./cursor.tsx";
import { frame, momentAt, positionOf } from "./plot-frame.ts";
import { formatInstant } from "./ticks.ts";

/** A drag of fewer pixels counts as a click. */
const shortestDrag = 6;

/**
 * The layer over a plot: marks events, shows the shared cursor, follows the pointer and the arrow keys, and zooms into
 * a dragged range. The chart that the user points at also shows the text of an event.
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
  const [dragFrom, setDragFrom] = useState<number | null>(null);
  const [dragTo, setDragTo] = useState(0);
  const place = (event: PointerEvent<HTMLElement>) => event.clientX - event.currentTarget.getBoundingClientRect().left;
  const shown = at !== null && at >= from && at <= to ? positionOf(at, width, from, to) : null;
  const marks = marksOf(useChartEvents(), width, from, to);
  const [isHere, setHere] = useState(false);
  const named = isHere && shown !== null ? nearestMark(marks, shown) : null;

  function move(event: PointerEvent<HTMLElement>): void {
    const x = place(event);
    setCursor(momentAt(x, width, from, to));
    if (dragFrom !== null) setDragTo(x);
  }
  function press(event: PointerEvent<HTMLElement>): void {
    if (event.button !== 0 || event.pointerType === "touch") return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setDragFrom(place(event));
    setDragTo(place(event));
  }
  function release(): void {
    if (dragFrom !== null && Math.abs(dragTo - dragFrom) >= shortestDrag) {
      const [left, right] = [Math.min(dragFrom, dragTo), Math.max(dragFrom, dragTo)];
      props.onZoom(momentAt(left, width, from, to), momentAt(right, width, from, to));
    }
    setDragFrom(null);
  }
  function leave(): void {
    setHere(false);
    if (dragFrom === null) setCursor(null);
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
      onPointerDown={press}
      onPointerUp={release}
      onPointerCancel={() => setDragFrom(null)}
      onPointerLeave={leave}
      onBlur={leave}
      onKeyDown={step}
    >
      <EventMarks marks={marks} />
      {named ? <EventLabel mark={named} width={width} /> : null}
      {dragFrom === null ? null : (
        <div
          className="absolute border-accent border-x bg-accent/15"
          style={{
            left: Math.max(frame.left, Math.min(dragFrom, dragTo)),
            width: Math.min(Math.abs(dragTo - dragFrom), width - frame.right - Math.min(dragFrom, dragTo)),
            top: frame.top,
            bottom: frame.bottom,
          }}
        />
      )}
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
