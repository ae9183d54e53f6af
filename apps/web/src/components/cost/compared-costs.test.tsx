import type { CostComparison, CostOption } from "@fairlead/domain/cost";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Compared } from "./compared-costs.tsx";

const option = (product: string, more: Partial<CostOption>): CostOption => ({
  ...{ offerId: product, provider: "aws", product, region: "eu-west-1", currency: "USD", hourlyMicros: 10_000 },
  ...{ monthlyMicros: 7_300_000, band: { lowMicros: 10_000, typicalMicros: 10_000, highMicros: 10_000 } },
  ...{ breakdown: [], dominantDimension: null, missing: [], fits: true, grade: "proven", reasons: [], conditions: [] },
  ...{ elastic: null, capacity: [] },
  ...{ prices: [{ sku: "s", asOf: "2024-03-01", source: "t", confidence: "published" }], ...more },
});

const comparison: CostComparison = {
  ...{
    from: new Date("2026-11-01"),
    to: new Date("2026-11-08"),
    currency: "USD",
    hasPriceBook: true,
    measuredShare: 1,
  },
  profile: { averageMbps: 8, newConnectionsPerSecond: 1 } as NonNullable<CostComparison["profile"]>,
  notes: [],
  today: { micros: 1, monthlyMicros: 20_000_000, knownShare: 1, reasons: [] },
  noBalancer: { fits: null, grade: "unknown", requiredMbps: 8, limitMbps: null, reasons: [], losses: [] },
  options: [
    option("Whole", {}),
    option("Partial", { grade: "unknown", missing: [{ item: "Traffic", reason: "no price" }] }),
  ],
  priceDates: { oldest: "2024-03-01", newest: "2026-11-01" },
  advice: { proven: null, likely: null },
};

it("shows the grade of each option, and no saving for a bill with a missing price", () => {
  const html = renderToStaticMarkup(<Compared comparison={comparison} clusterId="clu_1" />);
  const rows = html
    .split("<tr")
    .slice(2)
    .map((row) => row.replace(/^[^>]*>/, "").replace(/<[^>]+>/g, " "));
  expect(rows).toHaveLength(3);
  expect(rows[0]).toMatch(/No balancer.*data and addresses are billed to it instead.*Unknown.*none/);
  expect(rows[1]).toMatch(/Whole.*Proven.* \$7\.30.*\$12\.70 less/);
  expect(rows[2]).toMatch(/Partial.*Without.*traffic.*Unknown.*from \$0\.01.*from \$7\.30.*unknown/);
  expect(rows[2]).not.toContain("less");
});

it.each([null, true, false])("shows no amount and no saving without a balancer, if it fits: %s", (fits) => {
  const noBalancer = { ...(comparison.noBalancer as NonNullable<CostComparison["noBalancer"]>), fits };
  const html = renderToStaticMarkup(<Compared comparison={{ ...comparison, noBalancer }} clusterId="clu_1" />);
  const [, , row] = html.split("<tr");
  expect(row).toContain(">none<");
  expect(row).not.toMatch(/\$|less/);
});

it("shows the dates of the prices, with a warning if they are older than a year", () => {
  const html = renderToStaticMarkup(<Compared comparison={comparison} clusterId="clu_1" />);
  expect(html).toMatch(/<time dateTime="2024-03-01" class="text-warn" title="Older than a year">/);
  expect(html).toMatch(/<time dateTime="2026-11-01" class="text-ink">/);
});
