import { expect, it } from "vitest";
import { trackPresence } from "./presence.ts";

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 22) + seconds * 1_000);

it.each<[string, number[], number, number]>([
  ["none before the first check", [], 100, 0],
  ["lasts since the first check", [0, 10, 20], 25, 25],
  ["survives a late check", [0, 15], 30, 30],
  ["ends with a gap, before the next check", [0, 10], 26, 0],
  ["starts again after a gap", [0, 10, 90], 92, 2],
  ["is not negative when the clock is set back", [10], 5, 0],
])("presence: %s", (_, looks, now, seconds) => {
  const presence = trackPresence();
  for (const each of looks) presence.lookedAt(at(each));
  expect(presence.lastsMs(at(now))).toBe(seconds * 1_000);
});
