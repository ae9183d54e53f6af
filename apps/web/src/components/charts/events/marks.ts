import type { Event } from "@fairlead/domain/event";
import { positionOf } from "../plot/plot-frame.ts";

/** As near as a pointer gets without aiming. */
const reach = 5;

export type Mark = { event: Event; x: number };

/** newestOf merges lists of events, newest first. */
export function newestOf(most: number, ...lists: readonly (readonly Event[])[]): readonly Event[] {
  const [only, ...others] = lists.filter((each) => each.length > 0);
  if (others.length === 0) return only ?? [];
  return lists
    .flat()
    .sort((a, b) => b.at.getTime() - a.at.getTime())
    .slice(0, most);
}

/** marksOf returns the events in the range of a plot, with their places. */
export function marksOf(events: readonly Event[], width: number, from: number, to: number): Mark[] {
  return events.flatMap((event) => {
    const at = event.at.getTime();
    return at >= from && at <= to ? [{ event, x: positionOf(at, width, from, to) }] : [];
  });
}

/** nearestMark returns the mark at a place, the newest if there are several. */
export function nearestMark(marks: readonly Mark[], x: number): Mark | null {
  let nearest: Mark | null = null;
  for (const mark of marks) {
    const distance = Math.abs(mark.x - x);
    if (distance <= reach && (!nearest || distance < Math.abs(nearest.x - x))) nearest = mark;
  }
  return nearest;
}
