import type { IncomingMessage, ServerResponse } from "node:http";
import type { PriceFeedName } from "@fairlead/domain";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { FeedFault } from "./feed-refused.ts";
import { feedLimits } from "./fetch-json.ts";
import { feedReader } from "./read-feed.ts";
import { type FeedServer, feedKeys, serveFeeds } from "./testing/index.ts";

let server: FeedServer;
beforeEach(async () => {
  server = await serveFeeds();
});
afterEach(() => server.stop());

const now = new Date("2026-11-25T12:00:00Z");
const limits = { ...feedLimits, mostBytes: 200_000, silenceMs: 300, wholeMs: 3_000 };
const keys: Partial<Record<PriceFeedName, string>> = feedKeys;
const places: Partial<Record<PriceFeedName, string[]>> = {
  aws: ["eu-west-1", "us-east-1"],
  azure: ["eastus"],
  gcp: ["us-central1"],
};

async function refusalOf(feed: PriceFeedName, options: { key?: string | null; limits?: Partial<typeof limits> } = {}) {
  const key = options.key === undefined ? (keys[feed] ?? null) : options.key;
  const read = feedReader({ [feed]: { url: server.urlOf(feed), key } }, { ...limits, ...options.limits });
  const wanted = { regions: places[feed] ?? [] };
  return read(feed, wanted, { signal: new AbortController().signal, now }).then(
    () => "taken",
    (error: { fault?: FeedFault; message: string }) => `${error.fault}: ${error.message}`,
  );
}

describe("an answer that does harm", () => {
  it("is cut off as soon as it is too long, however long it would go on", async () => {
    let sent = 0;
    server.answer("oracle", (request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const piece = " ".repeat(10_000);
      const more = () => {
        while (!response.destroyed && response.write(piece)) sent += piece.length;
      };
      response.on("drain", more);
      request.on("close", () => response.destroy());
      more();
    });
    expect(await refusalOf("oracle")).toMatch(
      /^too-long: What 127\.0\.0\.1:\d+ sends is longer than 200000 bytes, and was cut off\.$/,
    );
    // What fits into buffers on the way, and no more.
    expect(sent).toBeLessThan(16 * 1024 * 1024);
  });

  it("has a bound for all of it too", async () => {
    expect(await refusalOf("aws", { limits: { mostBytesInAll: 9_000 } })).toMatch(/^too-long/);
    expect(await refusalOf("azure", { limits: { mostDocuments: 3 } })).toBe("endless: It goes on after 3 pages.");
  });

  it.each<[string, PriceFeedName, (request: IncomingMessage, response: ServerResponse) => void, RegExp]>([
    [
      "sends elsewhere",
      "oracle",
      (_, response) => response.writeHead(302, { location: "http://169.254.169.254/latest" }).end(),
      /^redirected: 127\.0\.0\.1:\d+ sends on to 169\.254\.169\.254, and that isn't followed\.$/,
    ],
    ["stays silent", "oracle", () => {}, /^too-slow/],
    [
      "falls silent in the middle",
      "oracle",
      (_, response) => response.writeHead(200).write('{"items": ['),
      /^too-slow/,
    ],
    [
      "trickles without end",
      "oracle",
      (request, response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write(" "), 50);
        request.on("close", () => clearInterval(timer));
      },
      /^too-slow/,
    ],
    [
      "breaks off",
      "oracle",
      (_, response) => {
        response.writeHead(200, { "content-length": 1_000 });
        response.write('{"items": [', () => response.destroy());
      },
      /^truncated: 127\.0\.0\.1:\d+ broke off/,
    ],
    [
      "ends in the middle, as if whole",
      "oracle",
      (_, response) => response.writeHead(200).end('{"lastUpdated": "2026-11-20T00:00:00Z", "items": [{"partNum'),
      /^truncated: What .* ends in the middle\.$/,
    ],
    [
      "is a page for people",
      "aws",
      (_, response) => response.writeHead(200).end("<html>"),
      /^malformed: .* is no JSON\.$/,
    ],
    ["fails", "azure", (_, response) => response.writeHead(503).end(), /^refused: .* status 503\.$/],
    [
      "is of another shape",
      "gcp",
      (_, response) => response.writeHead(200).end("[]"),
      /^malformed: A page of prices isn't as/,
    ],
    ["is nothing at all", "hetzner", (_, response) => response.writeHead(200).end(), /^malformed/],
  ])("because it %s", async (_, feed, handler, refusal) => {
    server.answer(feed, handler);
    expect(await refusalOf(feed)).toMatch(refusal);
  });

  it("is none where nobody answers", async () => {
    const url = server.urlOf("oracle");
    await server.stop();
    const read = feedReader({ oracle: { url, key: null } }, limits);
    await expect(read("oracle", { regions: [] }, { signal: new AbortController().signal, now })).rejects.toMatchObject({
      fault: "unreachable",
      message: expect.stringContaining("connection refused"),
    });
    server = await serveFeeds();
  });
});

describe("a key", () => {
  it.each<[PriceFeedName, string]>([
    ["gcp", "FAIRLEAD_GCP_PRICE_KEY"],
    ["hetzner", "FAIRLEAD_HETZNER_PRICE_TOKEN"],
  ])("of %s is asked for where there is none, and told as refused where it is wrong", async (feed, setting) => {
    expect(await refusalOf(feed, { key: null })).toMatch(new RegExp(`^no-key: .*${setting}`));
    expect(server.asked).toEqual([]);
    const refusal = await refusalOf(feed, { key: "a-wrong-secret" });
    expect(refusal).toMatch(/^refused: .* refuses the key \(status 40[13]\)\.$/);
    expect(refusal).not.toContain("a-wrong-secret");
  });
});

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
      "AWS without balancers",
      "aws",
      (text) => text.replaceAll('"AWSELB"', '"AWSOTHER"'),
      /^malformed: .* doesn't name AWSELB/,
    ],
  ])("%s", async (_, feed, change, refusal) => {
    server.edit(feed, change);
    expect(await refusalOf(feed)).toMatch(refusal);
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
    expect(await refusalOf(feed)).toMatch(refusal);
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
    expect(await refusalOf("hetzner", { limits: { mostBytes: 1_000_000 } })).toMatch(/^malformed: It has 6000 prices/);
    server.answer("hetzner", null);
    server.edit("hetzner", (text) => text.replaceAll('"fsn1"', '"<script>"'));
    expect(await refusalOf("hetzner")).toMatch(/^malformed: The list of prices isn't as its provider describes it/);
  });

  it("says that something is free: that is read, for a person to look at", async () => {
    server.edit("aws", (text) => text.replaceAll('"0.0225000000"', '"0.0000000000"'));
    expect(await refusalOf("aws")).toBe("taken");
  });
});

it("ends when whoever reads it stops", async () => {
  server.answer("oracle", () => {});
  const stopping = new AbortController();
  const reading = feedReader({ oracle: { url: server.urlOf("oracle"), key: null } })(
    "oracle",
    { regions: [] },
    { signal: stopping.signal, now },
  );
  stopping.abort();
  await expect(reading).rejects.toThrow();
});
