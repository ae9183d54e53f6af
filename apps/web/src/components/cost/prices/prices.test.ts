import type { HeldPrice, PriceRefresh } from "@fairlead/domain/cost";
import { describe, expect, it } from "vitest";
import { consequenceOf, describeHeld, describeRead, tierLines } from "./refresh-text.ts";

const at = new Date("2026-11-25T12:00:00Z");
const refresh = (fields: Partial<PriceRefresh> = {}): PriceRefresh => ({
  ...{ id: "rfr_1", feed: "aws", state: "applied", reason: "", isScheduled: false, requestedBy: "Ada" },
  ...{ requestedAt: at, startedAt: at, endedAt: at, asOf: "2026-11-24", source: "https://prices.example" },
  ...{ readCount: 30, appliedCount: 0, unchangedCount: 0, skippedCount: 0 },
  ...{ waitingCount: 0, acceptedCount: 0, rejectedCount: 0 },
  ...fields,
});

it("formats a price with all digits, one line per tier", () => {
  const tier = (fromUnits: number, micros: number, per = 1) => ({ fromUnits, micros, per });
  expect(tierLines([tier(0, 22_500)], "hour", "USD")).toEqual(["$0.0225 per hour"]);
  expect(tierLines([tier(0, 0)], "hour", "USD")).toEqual(["free"]);
  expect(tierLines([tier(0, 83_764_275, 10_000)], "hour", "USD")).toEqual(["$0.0083764275 per hour"]);
  expect(tierLines([tier(0, 0), tier(10_240, 85_000)], "GB", "EUR")).toEqual([
    "free at first",
    "€0.085 per GB from 10,240 on",
  ]);
});

it("reports whether a decision is needed", () => {
  const now = at.getTime() + 3 * 3_600_000;
  expect(describeHeld(1, refresh(), now)).toBe("1 price needs a decision.");
  expect(describeHeld(0, refresh(), now)).toBe("No held prices. Last refresh: AWS, 3 h ago.");
  expect(describeHeld(0, undefined, now)).toBe("No held prices.");
});

describe("the result of a refresh", () => {
  it.each<[Partial<PriceRefresh>, string]>([
    [{ unchangedCount: 28, appliedCount: 2 }, "30 prices read: 28 unchanged, 2 applied."],
    [{ readCount: 1, rejectedCount: 1, skippedCount: 3 }, "1 price read: 1 rejected, 3 decided before."],
    [{ state: "failed", reason: "It ends in the middle." }, "It ends in the middle."],
    [{ state: "waiting" }, "A controller starts within seconds."],
  ])("%j", (fields, text) => {
    expect(describeRead(refresh(fields))).toBe(text);
  });
});

it("describes the effect of a decision, and that removed items keep their price", () => {
  const changed = { after: [{ fromUnits: 0, micros: 1, per: 1 }] } as HeldPrice;
  const gone = { after: [] as HeldPrice["after"] } as HeldPrice;
  expect(consequenceOf("accept", [changed, gone])).toBe(
    "1 price changes to the price in the feed, from its date on, for all organisations of this installation. 1 item no longer in the feed keeps its last price, and no further decision is needed.",
  );
  expect(consequenceOf("accept", [gone, gone])).toMatch(/^2 items no longer in the feed keep their last price/);
  expect(consequenceOf("reject", [changed, gone])).toMatch(/^2 prices stay unchanged\./);
});
