import { expect, it } from "vitest";
import { readRetryAfter } from "./retry-after.ts";

const now = new Date("2026-01-01T00:00:00Z");

it.each([
  ["2", 2_000],
  ["0.5", 500],
  [["7", "9"], 7_000],
  ["Thu, 01 Jan 2026 00:00:30 GMT", 30_000],
  // Above 2³¹ ms a timer fires at once.
  ["2147484", 300_000],
  ["1e30", 300_000],
  ["Infinity", 300_000],
  ["0", null],
  ["-3", null],
  ["Thu, 01 Jan 2025 00:00:00 GMT", null],
  ["soon", null],
  ["", null],
  [undefined, null],
])("reads %j as %j", (value, ms) => {
  expect(readRetryAfter(value, now)).toBe(ms);
});
