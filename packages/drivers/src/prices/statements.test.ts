import type { PriceFeedName } from "@fairlead/domain/cost";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FeedServer, serveFeeds } from "./testing/index.ts";
import { refusalOf } from "./testing/refusal-of.ts";

let server: FeedServer;
beforeEach(async () => {
  server = await serveFeeds();
});
afterEach(() => server.stop());

/** A feed with an invalid price is rejected as a whole. */
describe("a feed with invalid content", () => {
  it.each<[string, PriceFeedName, (text: string) => string, RegExp]>([
    [
      "AWS in yuan",
      "aws",
      (text) => text.replaceAll('"USD"', '"CNY"'),
      /^wrong-currency: Requested USD, received CNY for alb/,
    ],
    [
      "Azure in euros, in the items only",
      "azure",
      (text) => text.replaceAll('"currencyCode": "USD"', '"currencyCode": "EUR"'),
      /^wrong-currency: Requested USD, received EUR for lb-standard/,
    ],
    [
      "Google without a currency",
      "gcp",
      (text) => text.replaceAll('"currencyCode": "USD",', ""),
      /^wrong-currency: .* no currency/,
    ],
    ["Oracle in yen", "oracle", (text) => text.replaceAll('"USD"', '"JPY"'), /^wrong-currency: .* received JPY/],
    ["Hetzner in pounds", "hetzner", (text) => text.replace('"EUR"', '"GBP"'), /^wrong-currency: The currency is GBP/],
    [
      "AWS with a negative price",
      "aws",
      (text) => text.replace('"0.0225000000"', '"-0.0225000000"'),
      /^negative-price: Negative price -0\.02/,
    ],
    [
      "Azure with a negative price",
      "azure",
      (text) => text.replace('"retailPrice": 0.025', '"retailPrice": -0.025'),
      /^negative-price/,
    ],
    [
      "Google with a negative price",
      "gcp",
      (text) => text.replace('"nanos": 25000000', '"nanos": -25000000'),
      /^negative-price/,
    ],
    [
      "Oracle with a negative price",
      "oracle",
      (text) => text.replace('"value": 0.0113', '"value": -0.0113'),
      /^negative-price/,
    ],
    [
      "Hetzner with a negative price",
      "hetzner",
      (text) => text.replace('"net": "5.39', '"net": "-5.39'),
      /^negative-price/,
    ],
    ["AWS without a price", "aws", (text) => text.replace('"USD": "0.0225000000"', ""), /^(no-price|wrong-currency)/],
    [
      "Azure without a price",
      "azure",
      (text) => text.replace('"retailPrice": 0.025,', ""),
      /^no-price: No price for lb-standard in any/,
    ],
    ["Oracle without a price", "oracle", (text) => text.replace('"value": 0.0113', '"value": null'), /^no-price/],
    [
      "AWS with a word as price",
      "aws",
      (text) => text.replace('"0.0225000000"', '"free"'),
      /^malformed: Invalid price "free"/,
    ],
    [
      "AWS with an absurd price",
      "aws",
      (text) => text.replace('"0.0225000000"', '"1e18"'),
      /^malformed: Invalid price "1e18"/,
    ],
    [
      "AWS per day",
      "aws",
      (text) => text.replace('"unit": "Hrs"', '"unit": "Days"'),
      /^unknown-unit: Unexpected unit "Days" for .*: expected Hrs/,
    ],
    ["Azure per second", "azure", (text) => text.replace('"1 Hour"', '"1 Second"'), /^unknown-unit/],
    [
      "Google's memory per GB instead of GiB",
      "gcp",
      (text) => text.replace('"usageUnit": "GiBy.h"', '"usageUnit": "GBy.h"'),
      /^unknown-unit: Unexpected unit "GBy.h" for E2 memory in us-central1/,
    ],
    [
      "Google's cores twice",
      "gcp",
      (text) => text.replace("N2 Instance Core running in Americas", "E2 Instance Core running in Americas"),
      /^ambiguous: More than one price for E2 cores in us-central1/,
    ],
    ["Google per month", "gcp", (text) => text.replace('"usageUnit": "h"', '"usageUnit": "mo"'), /^unknown-unit/],
    [
      "Oracle per user",
      "oracle",
      (text) => text.replace("Load Balancer Hour", "Named User Per Month"),
      /^unknown-unit/,
    ],
    [
      "Oracle with the same part twice",
      "oracle",
      (text) =>
        text.replace('"partNumber": "B88317"', '"partNumber": "B93030"').replace("OCPU Per Hour", "Load Balancer Hour"),
      /^ambiguous: More than one price for flexible-lb in any/,
    ],
    [
      "Oracle without a price for the first hours",
      "oracle",
      (text) => text.replace('"rangeMin": 0', '"rangeMin": 100'),
      /^no-price: No price for the first unit of flexible-lb/,
    ],
    [
      "Oracle without a date",
      "oracle",
      (text) => text.replace("2026-11-20T", "soon T"),
      /^malformed: No valid date in the list of products/,
    ],
    [
      "Oracle with a date in the future",
      "oracle",
      (text) => text.replace("2026-11-20T", "2027-11-20T"),
      /^malformed: The feed has the date 2027-11-20/,
    ],
    ["Oracle with unknown parts only", "oracle", (text) => text.replaceAll(/"B\d+"/g, '"X1"'), /^empty/],
    [
      "AWS with a link to another server",
      "aws",
      (text) => text.replace('"/offers/v1.0/aws/AWSELB/current/region_index.json"', '"https://evil.example/x"'),
      /^elsewhere: The index links to another server, evil\.example/,
    ],
    [
      "AWS with a link to another server without a scheme",
      "aws",
      (text) => text.replace('"/offers/v1.0/aws/AWSELB/current/region_index.json"', '"//evil.example/x"'),
      /^(refused: .* status 404|elsewhere)/,
    ],
    [
      "machines in another currency",
      "aws-machines",
      (text) => text.replaceAll('\\"USD\\"', '\\"CNY\\"'),
      /^wrong-currency: Requested USD, received CNY for t3\.micro in eu-central-1/,
    ],
    [
      "machines per second",
      "aws-machines",
      (text) => text.replaceAll('\\"Hrs\\"', '\\"Second\\"'),
      /^unknown-unit: Unexpected unit "Second" for t3\.micro in eu-central-1: expected Hrs/,
    ],
    [
      "a machine twice",
      "aws-machines",
      (text) => text.replaceAll("AllocatedCapacityReservation", "Used"),
      /^ambiguous: More than one price for t3\.micro in eu-central-1/,
    ],
    [
      "machines without a price",
      "aws-machines",
      (text) => text.replaceAll('\\"0.0104000000\\"', '\\"\\"'),
      /^no-price: No price for t3\.micro in us-east-1/,
    ],
    [
      "machines without a column",
      "aws-machines",
      (text) => text.replaceAll("CapacityStatus", "Capacity"),
      /^malformed: Column CapacityStatus is missing in the list of machines of eu-central-1/,
    ],
    [
      "machines without a header",
      "aws-machines",
      (text) => text.replaceAll('\\"SKU\\"', '\\"Code\\"'),
      /^malformed: No header in the list of machines of eu-central-1/,
    ],
    [
      "machines without a date",
      "aws-machines",
      (text) => text.replaceAll("Publication Date", "Day"),
      /^malformed: No valid date in the list of machines of eu-central-1/,
    ],
    ["unknown machines only", "aws-machines", (text) => text.replaceAll("Compute Instance", "Bare Metal"), /^empty/],
    [
      "AWS without balancers",
      "aws",
      (text) => text.replaceAll('"AWSELB"', '"AWSOTHER"'),
      /^malformed: .* has no entry AWSELB/,
    ],
  ])("%s", async (_, feed, change, refusal) => {
    server.edit(feed, change);
    expect(await refusalOf(server, feed)).toMatch(refusal);
  });

  it.each<[string, PriceFeedName, (origin: string) => object, RegExp]>([
    [
      "Azure's pages link to another server",
      "azure",
      () => ({ BillingCurrency: "USD", Items: [], NextPageLink: "https://evil.example/next" }),
      /^elsewhere: A page links to another server, evil\.example/,
    ],
    [
      "Azure's pages form a loop",
      "azure",
      (origin) => ({ BillingCurrency: "USD", Items: [], NextPageLink: `${origin}/api/retail/prices?again` }),
      /^endless: The list of prices does not end: a page links back to an earlier one\.$/,
    ],
    [
      "Google's pages form a loop",
      "gcp",
      () => ({ skus: [], nextPageToken: "again" }),
      /^endless: The list of prices does not end: a page links back to an earlier one\.$/,
    ],
  ])("%s", async (_, feed, body, refusal) => {
    server.answer(feed, (_request, response) => response.writeHead(200).end(JSON.stringify(body(server.urlOf(feed)))));
    expect(await refusalOf(server, feed)).toMatch(refusal);
  });

  it("has far too many prices, or invalid names", async () => {
    const prices = Array.from({ length: 6_000 }, (_, i) => ({ location: `l${i}`, price_monthly: { net: "1" } }));
    const pricing = {
      currency: "EUR",
      server_types: [],
      load_balancer_types: [],
      primary_ips: [{ type: "ipv4", prices }],
    };
    server.answer("hetzner", (_request, response) => response.writeHead(200).end(JSON.stringify({ pricing })));
    expect(await refusalOf(server, "hetzner", { limits: { mostBytes: 1_000_000 } })).toMatch(
      /^malformed: The feed has 6000 prices/,
    );
    server.answer("hetzner", null);
    server.edit("hetzner", (text) => text.replaceAll('"fsn1"', '"<script>"'));
    expect(await refusalOf(server, "hetzner")).toMatch(/^malformed: The list of prices has an unexpected format/);
  });

  it("is accepted with a price of zero, which is then held for a decision", async () => {
    server.edit("aws", (text) => text.replaceAll('"0.0225000000"', '"0.0000000000"'));
    expect(await refusalOf(server, "aws")).toBe("taken");
  });
});
