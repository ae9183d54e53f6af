"use client";
import { useMemo } from "react";
import { serverNow } from "@/live/server-clock.ts";

/** The instant that a span was chosen at: it stays put while the list is read, or every render would ask anew. */
export function useSinceNow(chosen: string | null): number {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new choice is a new instant
  return useMemo(() => serverNow(), [chosen]);
}
