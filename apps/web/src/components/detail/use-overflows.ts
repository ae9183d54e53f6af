"use client";
import { type RefCallback, useCallback, useState } from "react";

/**
 * useOverflows reports whether the content of a box is wider than the box. Then the keyboard must be able to scroll it.
 */
export function useOverflows<Box extends HTMLElement>(): [RefCallback<Box>, boolean] {
  const [overflows, setOverflows] = useState(false);
  const watch = useCallback((box: Box) => {
    const observer = new ResizeObserver(() => setOverflows(box.scrollWidth > box.clientWidth + 1));
    observer.observe(box);
    if (box.firstElementChild) observer.observe(box.firstElementChild);
    return () => observer.disconnect();
  }, []);
  return [watch as RefCallback<Box>, overflows];
}
