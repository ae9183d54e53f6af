import type { Event } from "@fairlead/domain/event";
import { newestOf } from "./marks.ts";

const minute = 60_000;
/** Transactions are not stored in the order of their times. */
const overlapMs = minute;
/** An agent that was away reports what happened meanwhile: what is older than the overlap is only in a full read. */
const fullEveryMs = 15 * minute;

/** Shown are the events on screen, newest first, and when all of them were last fetched. */
export type Shown = { events: readonly Event[]; fullAt: number };

/** newerFrom returns from when on events have to be fetched; null for all of them. */
export function newerFrom(shown: Shown | null, now: number): Date | null {
  const newest = shown?.events[0];
  if (!shown || !newest || now - shown.fullAt >= fullEveryMs) return null;
  return new Date(newest.at.getTime() - overlapMs);
}

/** withNewer adds fetched events to those on screen. */
export function withNewer(most: number, shown: readonly Event[], fetched: readonly Event[]): readonly Event[] {
  const ids = new Set(fetched.map((each) => each.id));
  return newestOf(
    most,
    fetched,
    shown.filter((each) => !ids.has(each.id)),
  ).slice(0, most);
}
