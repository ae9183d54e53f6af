import { exportCosts } from "@fairlead/domain/cost";
import { expect, it } from "vitest";
import { exportUrl } from "./export-url.ts";

it("exports the month and the cluster that the page shows", () => {
  const shown = {
    from: new Date("2026-11-01T00:00:00Z"),
    to: new Date("2026-11-20T11:00:00Z"),
    clusterId: "clu_01kav3x0zq8w4m2n6r5t7y9b1c",
  };
  const { pathname, searchParams } = new URL(exportUrl(shown, "focus"), "http://fairlead.test");
  expect(pathname).toBe("/api/v1/costs/export");
  expect(exportCosts.parse(Object.fromEntries(searchParams))).toEqual({
    ...{ ...shown, format: "focus", step: "day", currency: "USD" },
  });
});
