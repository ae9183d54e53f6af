"use client";
import { useMemo } from "react";
import { serverNow } from "@/live/server-clock.ts";

/** The instant at which a span was selected. It is fixed, because every render would send a new query otherwise. */
export function useSinceNow(chosen: string | null): number {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new choice is a new instant
  return useMemo(() => serverNow(), [chosen]);
}
