import { describe, expect, it } from "vitest";
import { describeInstant, describeSince } from "./age-text.ts";

const now = Date.UTC(2026, 10, 20, 12, 0, 0);
const before = (seconds: number) => new Date(now - seconds * 1_000);

describe("the age of a value", () => {
  it.each([
    ["of something that happened once", before(42), undefined, { text: "42 s ago", freshness: "plain" }],
    ["of something that never happened", null, undefined, { text: "never", freshness: "plain" }],
    ["of a source that reports", before(4), 5_000, { text: "4 s ago", freshness: "live" }],
    ["of a source that missed a report", before(12), 5_000, { text: "12 s ago", freshness: "late" }],
    ["of a silent source, with the word", before(200), 5_000, { text: "3 min, silent", freshness: "silent" }],
    ["of a source that never reported", null, 5_000, { text: "never", freshness: "never" }],
    ["of a clock that runs ahead", before(-3), 5_000, { text: "0 s ago", freshness: "live" }],
  ] as const)("%s", (_, at, every, want) => {
    expect(describeSince(at, now, every)).toEqual(want);
  });

  it("is exact to the second, in the user's time zone", () => {
    expect(describeInstant(new Date(now), "Europe/Berlin")).toBe("2026-11-20 13:00:00");
  });
});
