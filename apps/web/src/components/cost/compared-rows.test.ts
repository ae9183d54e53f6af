import { readFileSync } from "node:fs";
import {
  type CostComparison,
  compileCatalogue,
  estimateCosts,
  estimateRequest,
  readPrices,
} from "@fairlead/domain/cost";
import { describe, expect, it } from "vitest";
import { comparedRows, differenceText } from "./compared-rows.ts";

const seedFile = new URL("../../../../../packages/domain/src/cost/prices/seed/prices.csv", import.meta.url);
const catalogue = compileCatalogue(readPrices(readFileSync(seedFile, "utf8")), {
  now: new Date("2026-11-25T12:00:00Z"),
});
const { options, advice } = estimateCosts(
  estimateRequest.parse({ profile: { averageMbps: 8, protocol: "http", zones: 2 } }),
  catalogue,
);
const fitting = options.filter(({ fits }) => fits);

const costs = (monthlyMicros: number, knownShare = 1): CostComparison["today"] => ({
  ...{ micros: monthlyMicros, monthlyMicros, knownShare, reasons: [] },
});

describe("the rows of a cost comparison", () => {
  it("start with no balancer and the recommended options, and end after five options", () => {
    const rows = comparedRows({ options: fitting, advice });
    expect(rows.map((row) => (row.option ? row.pin : row.key)).slice(0, 3)).toEqual([
      "no-balancer",
      "proven",
      "likely",
    ]);
    expect(rows).toHaveLength(6);
  });
});

describe("a difference to the current cost", () => {
  const bill = (dollars: number, missing: { item: string; reason: string }[] = []) => ({
    ...{ monthlyMicros: dollars * 1e6, missing, currency: "USD" },
  });
  const lacks = [{ item: "Traffic", reason: "no price" }];

  it.each([
    ["cheaper", bill(40), costs(50e6), "$10.00 less"],
    ["more expensive", bill(60), costs(50e6), "$10.00 more"],
    ["equal", bill(50), costs(50e6), "the same"],
    ["cheaper than a minimum", bill(40), costs(50e6, 0.5), "at least $10.00 less"],
    ["more expensive than a minimum", bill(60), costs(50e6, 0.5), "unknown"],
    ["without a current cost", bill(40), null, "unknown"],
    ["an incomplete bill below it", bill(40, lacks), costs(50e6), "unknown"],
    ["an incomplete bill above it", bill(60, lacks), costs(50e6), "unknown"],
  ])("is right: %s", (_, option, today, want) => {
    expect(differenceText(option, today)).toBe(want);
  });
});
