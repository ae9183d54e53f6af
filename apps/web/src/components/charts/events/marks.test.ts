import type { Event } from "@fairlead/domain/event";
import { expect, it } from "vitest";
import { frame } from "../plot/plot-frame.ts";
import { marksOf, nearestMark, newestOf } from "./marks.ts";

const start = Date.parse("2026-11-20T12:00:00Z");
const event = (id: string, second: number) => ({ id, at: new Date(start + second * 1_000) }) as Event;
/** A second for each pixel. */
const width = frame.left + frame.right + 100;
const marks = (...events: Event[]) => marksOf(events, width, start, start + 100_000);

it("marks the events in the range", () => {
  expect(marks(event("before", -1), event("first", 0), event("last", 100), event("after", 101))).toMatchObject([
    { event: { id: "first" }, x: frame.left },
    { event: { id: "last" }, x: frame.left + 100 },
  ]);
});

it("finds the nearest mark within reach, the newest of several", () => {
  const shown = marks(event("newest", 50), event("same", 50), event("older", 44));
  const at = (x: number) => nearestMark(shown, frame.left + x)?.event.id;
  expect([at(50), at(55), at(46), at(56), at(38)]).toEqual(["newest", "newest", "older", undefined, undefined]);
});

it("merges the events of a load balancer with those of its exposure's spec, and keeps the newest", () => {
  const own = [event("served", 50), event("placed", 10)];
  const ofSpec = [event("paused", 60), event("scaled", 30), event("created", 0)];
  expect(newestOf(4, own, ofSpec).map(({ id }) => id)).toEqual(["paused", "served", "scaled", "placed"]);
  expect(newestOf(4, own, [])).toBe(own);
  expect(newestOf(4, [], [])).toEqual([]);
});
