"use client";
import type { Event } from "@fairlead/domain/event";
import { useQuery } from "@tanstack/react-query";
import { createContext, type ReactNode, use } from "react";
import { useTimeRange } from "@/components/time-range/use-time-range.ts";
import { useTRPC } from "@/trpc/client.tsx";

/** More marks than this hide the lines. */
const mostMarks = 50;

const none: readonly Event[] = [];
const ChartEventsContext = createContext<readonly Event[]>(none);

/** ChartEvents marks the events of an object in all charts inside it: the newest ones of the page's range. */
export function ChartEvents({ subjectId, children }: { subjectId: string; children: ReactNode }) {
  const trpc = useTRPC();
  const [range] = useTimeRange();
  // A range that ends now moves all the time. Its events are among the newest, and their query stays the same.
  const span = range.kind === "absolute" ? { from: range.from, to: range.to } : {};
  const query = useQuery(trpc.event.list.queryOptions({ subjectId, limit: mostMarks, ...span }));
  return <ChartEventsContext value={query.data?.items ?? none}>{children}</ChartEventsContext>;
}

export function useChartEvents(): readonly Event[] {
  return use(ChartEventsContext);
}
