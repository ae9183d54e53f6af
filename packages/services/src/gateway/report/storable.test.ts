import { expect, it } from "vitest";
import { storable, storableTime } from "./storable.ts";

it.each([
  ["plain text: Grüße, 🙂, עברית", "plain text: Grüße, 🙂, עברית"],
  ["a\0b", "ab"],
  ["lb-\u202e1\u202c", "lb-\\u{202e}1\\u{202c}"],
  ["\u061c\u200e\u200f\u2066\u2069", "\\u{061c}\\u{200e}\\u{200f}\\u{2066}\\u{2069}"],
  ["x".repeat(2_000), "x".repeat(2_000)],
  ["x".repeat(3_000), `${"x".repeat(1_999)}…`],
  [`${"x".repeat(1_998)}😀 and more`, `${"x".repeat(1_998)}…`],
  ["\u202e".repeat(3_000), `${"\\u{202e}".repeat(250).slice(0, 1_999)}…`],
])("stores %j as %j", (text, stored) => {
  expect(storable(text)).toBe(stored);
});

it.each(["+010000-01-01T00:00:00Z", "-271821-04-20T00:00:00Z", "1969-12-31T23:59:59Z", "no time"])(
  "doesn't store the time %s",
  (at) => {
    expect(storableTime(new Date(at))).toBeNull();
  },
);

it("stores the times of a clock", () => {
  const at = new Date("2026-11-30T12:00:00Z");
  expect(storableTime(at)).toBe(at);
  expect(storableTime(null)).toBeNull();
});
