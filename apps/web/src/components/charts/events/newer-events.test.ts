import type { Event } from "@fairlead/domain/event";
import { expect, it } from "vitest";
import { newerFrom, withNewer } from "./newer-events.ts";

const minute = 60_000;
const start = Date.parse("2026-11-20T10:00:00Z");
const event = (id: string, minutes: number) => ({ id, at: new Date(start + minutes * minute) }) as Event;
const shown = { events: [event("b", 2), event("a", 1)], fullAt: start + 2 * minute };

it.each([
  ["all events at first", null, 3, null],
  ["all events while none are known", { ...shown, events: [] }, 3, null],
  ["those since a minute before the newest one after that", shown, 16, 1],
  ["all events every 15 minutes, because an agent may report old ones", shown, 17, null],
] as const)("fetches %s", (_, before, now, want) => {
  expect(newerFrom(before, start + now * minute)?.getTime() ?? null).toBe(want === null ? null : start + want * minute);
});

it("adds newer events once, newest first, and drops the oldest", () => {
  const fetched = [event("c", 3), event("late", 1.5), event("b", 2)];
  expect(withNewer(3, shown.events, fetched).map((each) => each.id)).toEqual(["c", "b", "late"]);
  expect(withNewer(3, shown.events, [])).toEqual(shown.events);
});
