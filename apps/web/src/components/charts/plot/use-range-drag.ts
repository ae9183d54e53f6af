"use client";
import { type PointerEvent, useRef, useState } from "react";

type Range = { left: number; right: number };

/** A drag of fewer pixels counts as a click. */
const shortestDrag = 6;

/** placeOf returns how far from the left edge of its element an event is. */
export function placeOf(event: PointerEvent<HTMLElement>): number {
  return event.clientX - event.currentTarget.getBoundingClientRect().left;
}

/**
 * useRangeDrag returns the range that is being chosen, and calls onRange at its end: a drag of a mouse or pen, or two
 * fingers, one at each edge. A single finger scrolls the page or moves the cursor.
 */
export function useRangeDrag(onRange: (left: number, right: number) => void) {
  const [dragged, setDragged] = useState<Range | null>(null);
  /** The two edges: where a mouse was pressed and is now, or each finger. */
  const edges = useRef(new Map<number | "pressed", number>());

  function show(): void {
    const [one, two] = [...edges.current.values()];
    setDragged(one === undefined || two === undefined ? null : { left: Math.min(one, two), right: Math.max(one, two) });
  }
  function press(event: PointerEvent<HTMLElement>): void {
    const isTouch = event.pointerType === "touch";
    if (event.button !== 0 || (isTouch && edges.current.size === 2)) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    if (!isTouch) edges.current = new Map([["pressed", placeOf(event)]]);
    edges.current.set(event.pointerId, placeOf(event));
    show();
  }
  function move(event: PointerEvent<HTMLElement>): void {
    if (!edges.current.has(event.pointerId)) return;
    edges.current.set(event.pointerId, placeOf(event));
    show();
  }
  function release(event: PointerEvent<HTMLElement>): void {
    if (!edges.current.has(event.pointerId)) return;
    cancel();
    if (dragged && dragged.right - dragged.left >= shortestDrag) onRange(dragged.left, dragged.right);
  }
  function cancel(): void {
    edges.current.clear();
    setDragged(null);
  }
  return { dragged, press, move, release, cancel };
}
