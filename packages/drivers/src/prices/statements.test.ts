import type { PriceFeedName } from "@fairlead/domain/cost";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FeedServer, serveFeeds } from "./testing/index.ts";
import { refusalOf } from "./testing/refusal-of.ts";

let server: FeedServer;
beforeEach(async () => {
  server = await serveFeeds();
});
afterEach(() => server.stop());

/** What a feed says that can't be a price: nothing is taken of it. */
describe("a feed that says what can't be", () => {
  it.each<[string, PriceFeedName, (text: string) => string, RegExp]>([
    [
      "AWS in yuan",
      "aws",
      (text) => text.replaceAll('"USD"', '"CNY"'),
      /^wrong-currency: It was asked for USD and says CNY for alb/,
    ],
    [
      "Azure in euros, line by line",
      "azure",
      (text) => text.replaceAll('"currencyCode": "USD"', '"currencyCode": "EUR"'),
      /^wrong-currency: It was asked for USD and says EUR for lb-standard/,
    ],
    [
      "Google without a currency",
      "gcp",
      (text) => text.replaceAll('"currencyCode": "USD",', ""),
      /^wrong-currency: .* no currency/,
    ],
    ["Oracle in yen", "oracle", (text) => text.replaceAll('"USD"', '"JPY"'), /^wrong-currency: .* says JPY/],
    ["Hetzner in pounds", "hetzner", (text) => text.replace('"EUR"', '"GBP"'), /^wrong-currency: It says GBP/],
    [
      "AWS below nothing",
      "aws",
      (text) => text.replace('"0.0225000000"', '"-0.0225000000"'),
      /^negative-price: It says -0\.02/,
    ],
    [
      "Azure below nothing",
      "azure",
      (text) => text.replace('"retailPrice": 0.025', '"retailPrice": -0.025'),
      /^negative-price/,
    ],
    [
      "Google below nothing",
      "gcp",
      (text) => text.replace('"nanos": 25000000', '"nanos": -25000000'),
      /^negative-price/,
    ],
    [
      "Oracle below nothing",
      "oracle",
      (text) => text.replace('"value": 0.0113', '"value": -0.0113'),
      /^negative-price/,
    ],
    ["Hetzner below nothing", "hetzner", (text) => text.replace('"net": "5.39', '"net": "-5.39'), /^negative-price/],
    ["AWS without a price", "aws", (text) => text.replace('"USD": "0.0225000000"', ""), /^(no-price|wrong-currency)/],
    [
      "Azure without a price",
      "azure",
      (text) => text.replace('"retailPrice": 0.025,', ""),
      /^no-price: .* of lb-standard in any/,
    ],
    ["Oracle without a price", "oracle", (text) => text.replace('"value": 0.0113', '"value": null'), /^no-price/],
    ["AWS in words", "aws", (text) => text.replace('"0.0225000000"', '"free"'), /^malformed: It says "free"/],
    ["AWS beyond all numbers", "aws", (text) => text.replace('"0.0225000000"', '"1e18"'), /^malformed: It says "1e18"/],
    [
      "AWS by the day",
      "aws",
      (text) => text.replace('"unit": "Hrs"', '"unit": "Days"'),
      /^unknown-unit: .* for "Days", and not for Hrs/,
    ],
    ["Azure by the second", "azure", (text) => text.replace('"1 Hour"', '"1 Second"'), /^unknown-unit/],
    [
      "Google's memory by the gigabyte of another kind",
      "gcp",
      (text) => text.replace('"usageUnit": "GiBy.h"', '"usageUnit": "GBy.h"'),
      /^unknown-unit: It says the price of E2 memory in us-central1 is for "GBy.h"/,
    ],
    [
      "Google's cores twice",
      "gcp",
      (text) => text.replace("N2 Instance Core running in Americas", "E2 Instance Core running in Americas"),
      /^ambiguous: It names more than one price of E2 cores in us-central1/,
    ],
    ["Google by the month", "gcp", (text) => text.replace('"usageUnit": "h"', '"usageUnit": "mo"'), /^unknown-unit/],
    [
      "Oracle by the user",
      "oracle",
      (text) => text.replace("Load Balancer Hour", "Named User Per Month"),
      /^unknown-unit/,
    ],
    [
      "Oracle the same part twice",
      "oracle",
      (text) =>
        text.replace('"partNumber": "B88317"', '"partNumber": "B93030"').replace("OCPU Per Hour", "Load Balancer Hour"),
      /^ambiguous: It names more than one price of flexible-lb in any/,
    ],
    [
      "Oracle nothing of the first hours",
      "oracle",
      (text) => text.replace('"rangeMin": 0', '"rangeMin": 100'),
      /^no-price: It has no price of the first unit of flexible-lb/,
    ],
    [
      "Oracle of no day",
      "oracle",
      (text) => text.replace("2026-11-20T", "soon T"),
      /^malformed: It doesn't say of which day/,
    ],
    [
      "Oracle of next year",
      "oracle",
      (text) => text.replace("2026-11-20T", "2027-11-20T"),
      /^malformed: It says to be of 2027-11-20/,
    ],
    ["Oracle of nothing we know", "oracle", (text) => text.replaceAll(/"B\d+"/g, '"X1"'), /^empty/],
    [
      "AWS that leads to another server",
      "aws",
      (text) => text.replace('"/offers/v1.0/aws/AWSELB/current/region_index.json"', '"https://evil.example/x"'),
      /^elsewhere: The index leads to evil\.example/,
    ],
    [
      "AWS that leads to another server without a scheme",
      "aws",
      (text) => text.replace('"/offers/v1.0/aws/AWSELB/current/region_index.json"', '"//evil.example/x"'),
      /^(refused: .* status 404|elsewhere)/,
    ],
    [
      "machines in another currency",
      "aws-machines",
      (text) => text.replaceAll('\\"USD\\"', '\\"CNY\\"'),
      /^wrong-currency: It was asked for USD and says CNY for t3\.micro in eu-central-1/,
    ],
    [
      "machines by the second",
      "aws-machines",
      (text) => text.replaceAll('\\"Hrs\\"', '\\"Second\\"'),
      /^unknown-unit: It says the price of t3\.micro in eu-central-1 is for "Second", and not for Hrs/,
    ],
    [
      "a machine twice",
      "aws-machines",
      (text) => text.replaceAll("AllocatedCapacityReservation", "Used"),
      /^ambiguous: It names more than one price of t3\.micro in eu-central-1/,
    ],
    [
      "machines without a price",
      "aws-machines",
      (text) => text.replaceAll('\\"0.0104000000\\"', '\\"\\"'),
      /^no-price: It has no price of t3\.micro in us-east-1/,
    ],
    [
      "machines without a column",
      "aws-machines",
      (text) => text.replaceAll("CapacityStatus", "Capacity"),
      /^malformed: In the list of machines of eu-central-1 there is no column CapacityStatus/,
    ],
    [
      "machines under no heading",
      "aws-machines",
      (text) => text.replaceAll('\\"SKU\\"', '\\"Code\\"'),
      /^malformed: In the list of machines of eu-central-1 no line names its columns/,
    ],
    [
      "machines of no day",
      "aws-machines",
      (text) => text.replaceAll("Publication Date", "Day"),
      /^malformed: It doesn't say of which day the list of machines of eu-central-1 is/,
    ],
    [
      "machines that no region has",
      "aws-machines",
      (text) => text.replaceAll("Compute Instance", "Bare Metal"),
      /^empty/,
    ],
    [
      "AWS without balancers",
      "aws",
      (text) => text.replaceAll('"AWSELB"', '"AWSOTHER"'),
      /^malformed: .* doesn't name AWSELB/,
    ],
  ])("%s", async (_, feed, change, refusal) => {
    server.edit(feed, change);
    expect(await refusalOf(server, feed)).toMatch(refusal);
  });

  it.each<[string, PriceFeedName, (origin: string) => object, RegExp]>([
    [
      "Azure's pages to another server",
      "azure",
      () => ({ BillingCurrency: "USD", Items: [], NextPageLink: "https://evil.example/next" }),
      /^elsewhere: A page leads to evil\.example/,
    ],
    [
      "Azure's pages in a circle",
      "azure",
      (origin) => ({ BillingCurrency: "USD", Items: [], NextPageLink: `${origin}/api/retail/prices?again` }),
      /^endless/,
    ],
    ["Google's pages in a circle", "gcp", () => ({ skus: [], nextPageToken: "again" }), /^endless/],
  ])("leads %s", async (_, feed, body, refusal) => {
    server.answer(feed, (_request, response) => response.writeHead(200).end(JSON.stringify(body(server.urlOf(feed)))));
    expect(await refusalOf(server, feed)).toMatch(refusal);
  });

  it("says far more than there is to say", async () => {
    const prices = Array.from({ length: 6_000 }, (_, i) => ({ location: `l${i}`, price_monthly: { net: "1" } }));
    const pricing = {
      currency: "EUR",
      server_types: [],
      load_balancer_types: [],
      primary_ips: [{ type: "ipv4", prices }],
    };
    server.answer("hetzner", (_request, response) => response.writeHead(200).end(JSON.stringify({ pricing })));
    expect(await refusalOf(server, "hetzner", { limits: { mostBytes: 1_000_000 } })).toMatch(
      /^malformed: It has 6000 prices/,
    );
    server.answer("hetzner", null);
    server.edit("hetzner", (text) => text.replaceAll('"fsn1"', '"<script>"'));
    expect(await refusalOf(server, "hetzner")).toMatch(
      /^malformed: The list of prices isn't as its provider describes it/,
    );
  });

  it("says that something is free: that is read, for a person to look at", async () => {
    server.edit("aws", (text) => text.replaceAll('"0.0225000000"', '"0.0000000000"'));
    expect(await refusalOf(server, "aws")).toBe("taken");
  });
});
