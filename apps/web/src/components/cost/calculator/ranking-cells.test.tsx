import { readFileSync } from "node:fs";
import { compileCatalogue, estimateCosts, estimateRequest, readPrices } from "@fairlead/domain/cost";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Ranking } from "./ranking.tsx";
import { MissingPrices, NameCell } from "./ranking-cells.tsx";

const seedFile = new URL("../../../../../../packages/domain/src/cost/prices/seed/prices.csv", import.meta.url);
const catalogue = compileCatalogue(readPrices(readFileSync(seedFile, "utf8")), {
  now: new Date("2026-11-25T12:00:00Z"),
});
const request = estimateRequest.parse({
  profile: { averageMbps: 25, internetShare: 1, backendMbps: 60 },
  providers: ["aws"],
  regions: ["us-east-1"],
});
const estimate = estimateCosts(request, catalogue);
const rankingOf = () =>
  renderToStaticMarkup(
    <Ranking
      answer={{ request, estimate, catalogue }}
      everyRegion={false}
      grades={[]}
      compare={[]}
      onCompare={() => {}}
      onEveryRegion={() => {}}
      onGrades={() => {}}
    />,
  );

it("lists no balancer without an amount, because the other bills include data and addresses", () => {
  const option = estimate.options[0];
  const items = option?.breakdown.map(({ item }) => item);
  expect(items).toEqual(expect.arrayContaining(["Data to the internet", "Public IPv4 addresses"]));
  const [, , row] = rankingOf().split("<tr");
  expect(row).toMatch(/No balancer<.*data and addresses are billed to it instead.*none/);
  expect(row).not.toContain("$");
});

it("opens the conditions of an option from their count", () => {
  const option = estimate.options.find(({ conditions }) => conditions.length === 1);
  if (!option) throw new Error("no option has a condition");
  const cell = (conditions: string[]) =>
    renderToStaticMarkup(<NameCell row={{ key: "k", rank: "1", pin: null, option: { ...option, conditions } }} />);
  expect(cell(option.conditions)).toMatch(/<details[^>]*><summary[^>]*>1 condition<\/summary><\/details>/);
  expect(cell([])).not.toContain("<details");
  expect(rankingOf()).toContain("1 condition</summary>");
});

it("lists where there are no prices, by provider, and the options without a price", () => {
  const unpriced = ["ca-west-1", "mx-central-1"].map((region) => ({
    ...{ offerId: "aws-nlb", provider: "aws" as const, product: "Network Load Balancer", region, reason: "No price." },
  }));
  const places = unpriced.map(({ provider, region }) => ({ provider, region }));
  const withoutPrices = [...places, { provider: "own" as const, region: "any" }];
  const html = renderToStaticMarkup(<MissingPrices estimate={{ ...estimate, unpriced, withoutPrices }} />);
  expect(html).toContain("<p>No prices: AWS (ca-west-1, mx-central-1).</p>");
  expect(html).toContain("2 options without a price, with the reason");
  const elsewhere = <MissingPrices estimate={{ ...estimate, unpriced, withoutPrices: [] }} />;
  expect(renderToStaticMarkup(elsewhere)).not.toContain("No prices:");
});
