"use client";
import { useNowOf } from "@/components/ui/now.ts";

/** useToday is the day it is, in UTC, as prices count it; empty while that is unknown. */
export function useToday(): string {
  return useNowOf((now) => (now === 0 ? "" : new Date(now).toISOString().slice(0, 10)));
}
