"use client";
import { freshness } from "@fairlead/domain/node";
import { useNowOf } from "@/components/ui/time/now.ts";
import { useLive } from "@/live/live-provider.tsx";

/** A source of reports, and its interval. */
export type Source = { observedAt: Date | null; reportIntervalMs: number | null };

/** useSilent reports whether all of these sources are silent. While live updates are paused, none is. */
export function useSilent(sources: readonly Source[]): boolean {
  const { paused } = useLive();
  return useNowOf((now) => !paused && now > 0 && sources.length > 0 && sources.every((each) => isSilent(each, now)));
}

function isSilent({ observedAt, reportIntervalMs }: Source, now: number): boolean {
  if (observedAt === null || reportIntervalMs === null) return false;
  return freshness(observedAt, reportIntervalMs, new Date(now)) === "silent";
}
