"use client";
import { freshness } from "@fairlead/domain";
import { useNowOf } from "@/components/ui/now.ts";
import { useLive } from "@/live/live-provider.tsx";

/** Who tells of a thing, and how often. */
export type Source = { observedAt: Date | null; reportIntervalMs: number | null };

/** useSilent says whether all these sources have fallen silent. While the screen is held still none does. */
export function useSilent(sources: readonly Source[]): boolean {
  const { paused } = useLive();
  return useNowOf((now) => !paused && now > 0 && sources.length > 0 && sources.every((each) => isSilent(each, now)));
}

function isSilent({ observedAt, reportIntervalMs }: Source, now: number): boolean {
  if (observedAt === null || reportIntervalMs === null) return false;
  return freshness(observedAt, reportIntervalMs, new Date(now)) === "silent";
}
