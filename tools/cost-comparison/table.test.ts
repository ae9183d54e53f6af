import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { comparisonTable } from "./table.ts";
import { guide, place } from "./write.ts";

it("the guide's comparison table is up to date; node tools/cost-comparison/write.ts updates it", () => {
  expect(place.exec(readFileSync(guide, "utf8"))?.[0]).toBe(comparisonTable());
});
