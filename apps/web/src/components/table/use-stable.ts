"use client";
import { useCallback, useLayoutEffect, useRef } from "react";

/**
 * useStable returns a handler with a stable identity that always calls the latest function, so that rows need not
 * render again.
 */
export function useStable<Args extends unknown[]>(handler: (...args: Args) => void): (...args: Args) => void {
  const newest = useRef(handler);
  useLayoutEffect(() => {
    newest.current = handler;
  });
  return useCallback((...args: Args) => newest.current(...args), []);
}
