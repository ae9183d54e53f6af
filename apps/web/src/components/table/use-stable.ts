"use client";
import { useCallback, useLayoutEffect, useRef } from "react";

/** useStable gives a handler one identity for good while it always does the newest thing: rows need not redraw for it. */
export function useStable<Args extends unknown[]>(handler: (...args: Args) => void): (...args: Args) => void {
  const newest = useRef(handler);
  useLayoutEffect(() => {
    newest.current = handler;
  });
  return useCallback((...args: Args) => newest.current(...args), []);
}
