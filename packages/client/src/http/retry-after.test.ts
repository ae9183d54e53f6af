import { expect, it } from "vitest";
import { readRetryAfter } from "./retry-after.ts";

const now = Date.parse("2026-11-25T00:00:00Z");
it.each([
  [undefined, undefined],
  ["", undefined],
  ["soon", undefined],
  ["2", 2_000],
  ["0", 0],
  ["999999999", 3_600_000],
  ["Wed, 25 Nov 2026 00:00:05 GMT", 5_000],
  ["Wed, 25 Nov 2020 00:00:05 GMT", 0],
])("%s is %s ms", (header, expected) => {
  expect(readRetryAfter(header, now)).toBe(expected);
});
