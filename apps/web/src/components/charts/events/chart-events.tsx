"use client";
import type { Event, EventReason } from "@fairlead/domain/event";
import { createContext, type ReactNode, use, useMemo } from "react";
import { useTimeRange } from "@/components/time-range/use-time-range.ts";
import { newestOf } from "./marks.ts";
import { useNewestEvents } from "./use-newest-events.ts";

/** More marks than this hide the lines. */
const mostMarks = 50;

const none: readonly Event[] = [];
const ChartEventsContext = createContext<readonly Event[]>(none);

/** What members change of an exposure, which changes the traffic of each of its load balancers. */
const specReasons: EventReason[] = ["SpecChanged", "Paused", "Resumed"];

/**
 * ChartEvents marks the events of an object in all charts inside it: the newest ones of the page's range. Those of a load
 * balancer include the changes of its exposure's spec.
 */
export function ChartEvents(props: { subjectId: string; exposureId?: string; children: ReactNode }) {
  const { subjectId, exposureId } = props;
  const [range] = useTimeRange();
  // A range that ends now moves all the time. Its events are among the newest, and their query stays the same.
  const span = range.kind === "absolute" ? { from: range.from, to: range.to } : {};
  const own = useNewestEvents({ subjectId, limit: mostMarks, ...span }, true);
  const ofSpec = useNewestEvents(
    { subjectId: exposureId, reason: specReasons, limit: mostMarks, ...span },
    exposureId !== undefined,
  );
  const events = useMemo(() => newestOf(mostMarks, own ?? none, ofSpec ?? none), [own, ofSpec]);
  return <ChartEventsContext value={events}>{props.children}</ChartEventsContext>;
}

export function useChartEvents(): readonly Event[] {
  return use(ChartEventsContext);
}
