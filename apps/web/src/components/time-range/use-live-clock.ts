"use client";
import { useEffect, useState } from "react";
import { LiveClock } from "./live-clock.ts";

const clocks = new Map<number, LiveClock>();

/**
 * useLiveClock returns the control plane's time in steps of everyMs, aligned so that everything refreshes at once. It
 * stops while it is not running or the tab is hidden. 0 until the page is hydrated.
 */
export function useLiveClock(everyMs: number, running: boolean): number {
  const [now, setNow] = useState(0);
  useEffect(() => {
    const clock = clocks.get(everyMs) ?? new LiveClock(everyMs);
    clocks.set(everyMs, clock);
    if (running) return clock.follow(setNow);
    // A page that opens paused still needs a first value.
    setNow((before) => before || clock.now());
  }, [everyMs, running]);
  return now;
}
