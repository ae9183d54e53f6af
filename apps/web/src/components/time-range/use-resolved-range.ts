"use client";
import { useMemo } from "react";
import { useLive } from "@/live/live-provider.tsx";
import { refreshEveryMs, resolveRange } from "./time-range.ts";
import { useLiveClock } from "./use-live-clock.ts";
import { useTimeRange } from "./use-time-range.ts";

export type ResolvedRange = { from: Date; to: Date; isLive: boolean };

/**
 * useResolvedRange returns the two instants of the page's range; null until the page is hydrated and the time is known.
 */
export function useResolvedRange(): ResolvedRange | null {
  const [range] = useTimeRange();
  const { paused } = useLive();
  const isLive = range.kind === "relative" && !paused;
  const now = useLiveClock(refreshEveryMs(range), isLive);
  return useMemo(() => (now === 0 ? null : { ...resolveRange(range, now), isLive }), [range, now, isLive]);
}
