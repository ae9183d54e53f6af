"use client";
import { freshness } from "@fairlead/domain";
import { useNow } from "@/components/ui/now.ts";
import { useLive } from "@/live/live-provider.tsx";

/** Who tells of a thing, and how often. */
export type Source = { observedAt: Date | null; reportIntervalMs: number | null };

/** useSilence says of sources whether they have fallen silent. While the screen is held still none does. */
export function useSilence(): (source: Source) => boolean {
  const { paused } = useLive();
  const now = useNow();
  return ({ observedAt, reportIntervalMs }) =>
    !paused &&
    now > 0 &&
    observedAt !== null &&
    reportIntervalMs !== null &&
    freshness(observedAt, reportIntervalMs, new Date(now)) === "silent";
}
