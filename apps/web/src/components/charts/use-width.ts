"use client";
import { type RefObject, useEffect, useRef, useState } from "react";

/** useWidth measures a box. 0 until it was measured. */
export function useWidth<Box extends HTMLElement>(): [RefObject<Box | null>, number] {
  const ref = useRef<Box>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!ref.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)));
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
