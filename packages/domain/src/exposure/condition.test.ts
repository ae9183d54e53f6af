import { describe, expect, it } from "vitest";
import { type Condition, setCondition } from "./condition.ts";

const early = new Date("2026-01-01T00:00:00Z");
const late = new Date("2026-01-01T01:00:00Z");
const ready: Condition = { type: "Ready", status: "true", reason: "Serving", message: "All well.", changedAt: early };

describe("a condition", () => {
  it("keeps its time when only the message changes", () => {
    expect(setCondition([ready], { ...ready, message: "Still well." }, late)).toEqual([
      { ...ready, message: "Still well." },
    ]);
  });

  it.each([
    ["its status", { status: "false" as const }],
    ["its reason", { reason: "Waiting" }],
  ])("has a new time when %s changes", (_, change) => {
    expect(setCondition([ready], { ...ready, ...change }, late)).toEqual([{ ...ready, ...change, changedAt: late }]);
  });

  it("is added to the others, sorted by type", () => {
    const applied = { type: "Applied", status: "true", reason: "Done", message: "" } as const;
    expect(setCondition([ready], applied, late).map((each) => each.type)).toEqual(["Applied", "Ready"]);
  });

  it("doesn't modify the given list", () => {
    const held = [ready];
    setCondition(held, { ...ready, status: "false" }, late);
    expect(held).toEqual([ready]);
  });
});
