"use client";
import { useLive } from "@/live/live-provider.tsx";

/**
 * useLiveInterval is how often to read something again whose figures move without a change being announced (reports
 * are not). Never while the person holds the screen still; the query itself rests while the tab is hidden.
 */
export function useLiveInterval(everyMs = 5_000): number | false {
  const { state } = useLive();
  return state === "paused" || state === "signed-out" || state === "elsewhere" ? false : everyMs;
}
