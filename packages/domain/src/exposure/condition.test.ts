import { describe, expect, it } from "vitest";
import { type Condition, setCondition } from "./condition.ts";

const early = new Date("2026-01-01T00:00:00Z");
const late = new Date("2026-01-01T01:00:00Z");
const ready: Condition = { type: "Ready", status: "true", reason: "Serving", message: "All well.", changedAt: early };

describe("a condition", () => {
  it("keeps since when it holds while only its words change", () => {
    expect(setCondition([ready], { ...ready, message: "Still well." }, late)).toEqual([
      { ...ready, message: "Still well." },
    ]);
  });

  it.each([
    ["its status", { status: "false" as const }],
    ["its reason", { reason: "Waiting" }],
  ])("holds since now when %s changes", (_, change) => {
    expect(setCondition([ready], { ...ready, ...change }, late)).toEqual([{ ...ready, ...change, changedAt: late }]);
  });

  it("stands beside the others, in the order of their names", () => {
    const applied = { type: "Applied", status: "true", reason: "Done", message: "" } as const;
    expect(setCondition([ready], applied, late).map((each) => each.type)).toEqual(["Applied", "Ready"]);
  });

  it("changes no list that somebody else holds", () => {
    const held = [ready];
    setCondition(held, { ...ready, status: "false" }, late);
    expect(held).toEqual([ready]);
  });
});
