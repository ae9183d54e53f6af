import { beforeEach, describe, expect, it } from "vitest";
import { keepSession } from "./keep-session.ts";

const hour = 3_600_000;
let page: EventTarget;
let now: number;
let prolonged: number[];
let isAway: boolean;

beforeEach(() => {
  page = new EventTarget();
  now = 0;
  prolonged = [];
  isAway = false;
  keepSession(
    page,
    async () => {
      if (isAway) throw new Error("no answer");
      prolonged.push(now);
    },
    () => now,
  );
});
const at = (time: number, sign: string) => {
  now = time;
  page.dispatchEvent(new Event(sign));
};

describe("a session", () => {
  it("is extended by opening a page, and then by use, once per hour", () => {
    at(hour - 1, "keydown");
    at(hour, "keydown");
    at(hour + 1, "pointerdown");
    at(2 * hour, "wheel");
    expect(prolonged).toEqual([0, hour, 2 * hour]);
  });

  it("is not extended by a page that is only open or visible", () => {
    at(30 * hour, "visibilitychange");
    at(60 * hour, "pointermove");
    expect(prolonged).toEqual([0]);
  });

  it("is retried with the next use if there was no response", async () => {
    isAway = true;
    at(hour, "keydown");
    await Promise.resolve();
    isAway = false;
    at(hour + 1_000, "keydown");
    expect(prolonged).toEqual([0, hour + 1_000]);
  });
});
