import { expect, it } from "vitest";
import { hourOf, requestedHours } from "./hours.ts";

const hours = (from: string, to: string) => ({ from: hourOf(new Date(from)), to: hourOf(new Date(to)) });

it.each([
  ["within a month, its past hours", "2026-11-26T12:30:00Z", hours("2026-11-01T00:00Z", "2026-11-26T12:00Z")],
  ["in its first hour, only that hour", "2026-12-01T00:30:00Z", hours("2026-12-01T00:00Z", "2026-12-01T01:00Z")],
  ["in its second hour, the first", "2026-12-01T01:00:00Z", hours("2026-12-01T00:00Z", "2026-12-01T01:00Z")],
])("the default is, %s", (_, now, expected) => {
  expect(requestedHours({ step: "all" }, new Date(now))).toEqual(expected);
});

it("rejects a time that isn't over", () => {
  const now = new Date("2026-12-01T00:30:00Z");
  expect(() => requestedHours({ from: now, step: "all" }, now)).toThrow(/from is not over yet/);
});
