"use client";
import { useNowOf } from "@/components/ui/time/now.ts";

/** useToday returns the current day in UTC, as prices use it; empty while it is unknown. */
export function useToday(): string {
  return useNowOf((now) => (now === 0 ? "" : new Date(now).toISOString().slice(0, 10)));
}
