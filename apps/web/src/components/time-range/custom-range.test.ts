import { expect, it } from "vitest";
import { parseCustomRange, toLocalInput } from "./custom-range.ts";

it("parses the fields, including those it has filled in", () => {
  const from = new Date("2026-11-20T12:00:05Z");
  const to = new Date("2026-11-20T13:00:00Z");
  expect(parseCustomRange(toLocalInput(from), toLocalInput(to))).toEqual({ range: { kind: "absolute", from, to } });
});

it.each([
  ["", "2026-11-20T13:00", "from"],
  ["2026-11-20T13:00", "", "to"],
  ["2026-11-20T13:00", "2026-11-20T12:00", "to"],
])("reports the invalid field of %s – %s", (from, to, field) => {
  expect(parseCustomRange(from, to)).toMatchObject({ field });
});
