import { afterEach, expect, it } from "vitest";
import { describeSince } from "../components/ui/time/age-text.ts";
import { noteServerTime, serverNow } from "./server-clock.ts";

const minute = 60_000;
afterEach(() => noteServerTime(new Date()));

it.each([
  ["ten minutes fast", 10 * minute],
  ["ten minutes slow", -10 * minute],
])("calculates ages by the control plane's clock when the browser's goes %s", (_, fastMs) => {
  const there = new Date(Date.now() - fastMs);
  noteServerTime(there);
  const heard = new Date(there.getTime() - 3_000);
  const silent = new Date(there.getTime() - 5 * minute);
  expect(describeSince(heard, serverNow(), 5_000)).toEqual({ text: "3 s ago", freshness: "live" });
  expect(describeSince(silent, serverNow(), 5_000)).toEqual({ text: "5 min, silent", freshness: "silent" });
});
