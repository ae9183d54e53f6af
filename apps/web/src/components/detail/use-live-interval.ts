"use client";
import { useLive } from "@/live/live-provider.tsx";

/**
 * useLiveInterval is the polling interval for values that change without a change notification, such as reports. No
 * polling while live updates are paused. The query itself pauses while the tab is hidden.
 */
export function useLiveInterval(everyMs = 5_000): number | false {
  const { state } = useLive();
  return state === "paused" || state === "signed-out" || state === "elsewhere" ? false : everyMs;
}
