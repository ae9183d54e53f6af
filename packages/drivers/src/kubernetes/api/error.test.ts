import { expect, it } from "vitest";
import { readStatus } from "./error.ts";

const tooMany = (retryAfterSeconds?: number) => JSON.stringify({ kind: "Status", details: { retryAfterSeconds } });

it.each([
  ["the header", { "retry-after": "3" }, tooMany(7), 3_000],
  ["the Status without a header", {}, tooMany(7), 7_000],
  ["nothing where nothing is set", {}, tooMany(), null],
  // A timer above 2³¹ ms fires at once.
  ["no more than five minutes of the header", { "retry-after": "3000000" }, tooMany(), 300_000],
  ["no more than five minutes of the Status", {}, tooMany(3_000_000), 300_000],
])("waits for %s", (_, headers, text, ms) => {
  expect(readStatus(429, headers, text).retryAfterMs).toBe(ms);
});
