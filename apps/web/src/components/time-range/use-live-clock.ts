"use client";
import { useEffect, useState } from "react";
import { onServerTime, serverNow } from "@/live/server-clock.ts";

/**
 * useLiveClock returns the control plane's time in steps of everyMs, aligned so that everything refreshes at once. It
 * stops while it is not running or the tab is hidden. 0 until the page is hydrated.
 */
export function useLiveClock(everyMs: number, running: boolean): number {
  const [now, setNow] = useState(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const round = () => Math.floor(serverNow() / everyMs) * everyMs;
    function tick(): void {
      clearTimeout(timer);
      if (document.visibilityState !== "visible") return;
      setNow(round());
      timer = setTimeout(tick, round() + everyMs - serverNow());
    }
    if (!running) {
      // A page that opens paused still needs a first value.
      setNow((before) => before || round());
      return;
    }
    tick();
    document.addEventListener("visibilitychange", tick);
    const stopListening = onServerTime(tick);
    return () => {
      clearTimeout(timer);
      stopListening();
      document.removeEventListener("visibilitychange", tick);
    };
  }, [everyMs, running]);
  return now;
}
