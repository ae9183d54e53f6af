import { exportAuditEntries } from "@fairlead/domain/access";
import { expect, it } from "vitest";
import { exportUrl } from "./export-url.ts";

it("exports the whole log without filters", () => {
  expect(exportUrl({ direction: "desc" }, "csv")).toBe("/api/v1/audit-entries/export?format=csv&direction=desc");
});

it("exports what the page shows", () => {
  const shown = {
    direction: "asc" as const,
    search: "a&b",
    subjectKind: ["node" as const, "member" as const],
    subjectId: "mem_1",
    from: new Date("2026-11-20T11:00:00Z"),
  };
  const { searchParams } = new URL(exportUrl(shown, "ndjson"), "http://fairlead.test");
  const query = { ...Object.fromEntries(searchParams), subjectKind: searchParams.getAll("subjectKind") };
  expect(exportAuditEntries.parse(query)).toEqual({ ...shown, format: "ndjson" });
});
