"use client";
import { type RefCallback, useCallback, useState } from "react";

/** useWidth measures a box, even if the box is rendered later than its component. 0 until it is measured. */
export function useWidth<Box extends HTMLElement>(): [RefCallback<Box>, number] {
  const [width, setWidth] = useState(0);
  const measure = useCallback((box: Box | null) => {
    if (!box) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)));
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  return [measure, width];
}
