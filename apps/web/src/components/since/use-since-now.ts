"use client";
import { useMemo } from "react";

/** The instant that a span was chosen at: it stays put while the list is read, or every render would ask anew. */
export function useSinceNow(chosen: string | null): number {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new choice is a new instant
  return useMemo(() => Date.now(), [chosen]);
}
