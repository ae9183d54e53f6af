"use client";
import { usePathname } from "next/navigation";
import { TimeRangePicker } from "../time-range/time-range-picker.tsx";

/** Pages with charts: the overview, routing, and one node, load balancer, exposure or cluster. */
const showsTime = /^\/($|routing$|(nodes|load-balancers|clusters|exposures)\/(?!new$)[^/]+$)/;

/** The time range in the bar. Empty on pages without one. */
export function TimeRangeSlot() {
  return showsTime.test(usePathname()) ? <TimeRangePicker /> : null;
}
