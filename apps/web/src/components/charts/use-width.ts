"use client";
import { type RefCallback, useCallback, useState } from "react";

/** useWidth measures a box, also one that comes later than whoever shows it. 0 until it was measured. */
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
