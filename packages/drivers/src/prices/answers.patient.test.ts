import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { PriceFeedName } from "@fairlead/domain/cost";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { feedReader } from "./read-feed.ts";
import { type FeedServer, serveFeeds } from "./testing/index.ts";
import { refusalOf, shortLimits, testLimits, testNow } from "./testing/refusal-of.ts";

let server: FeedServer;
beforeEach(async () => {
  server = await serveFeeds();
});
afterEach(() => server.stop());

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
    expect(await refusalOf(server, "oracle")).toMatch(
      /^too-long: What 127\.0\.0\.1:\d+ sends is longer than 200000 bytes, and was cut off\.$/,
    );
    // What fits into buffers on the way, and no more.
    expect(sent).toBeLessThan(16 * 1024 * 1024);
  });

  it("has a bound for all of it too", async () => {
    expect(await refusalOf(server, "aws", { limits: { mostBytesInAll: 9_000 } })).toMatch(/^too-long/);
    expect(await refusalOf(server, "azure", { limits: { mostDocuments: 3 } })).toBe(
      "endless: It goes on after 3 pages.",
    );
  });

  it("is cut off where it is a list, too, which may be far longer", async () => {
    expect(await refusalOf(server, "aws-machines", { limits: { mostBytes: 5_000, mostListBytes: 50_000 } })).toBe(
      "taken",
    );
    expect(await refusalOf(server, "aws-machines", { limits: { mostListBytes: 5_000 } })).toMatch(
      /^too-long: .* is longer than 5000 bytes, and was cut off\.$/,
    );
  });

  it.each([
    ["a row", '"X","JRTCKXETXF"', /^truncated: A row of the list of machines of eu-central-1 ends in the middle/],
    ["a word", '"X","JRTCK', /^truncated: What .* ends in the middle/],
    ["a word that never ends", `"${"x".repeat(300_000)}`, /^malformed: What .* is no CSV/],
  ])("is none of a list that ends in the middle of %s", async (_, rest, refusal) => {
    const fixture = new URL("./testing/fixtures/aws-machines.json", import.meta.url);
    const { documents, lists } = JSON.parse(readFileSync(fixture, "utf8")) as Record<string, Record<string, unknown>>;
    server.answer("aws-machines", (request, response) => {
      const path = (request.url ?? "").replace("/aws-machines", "");
      const list = lists?.[path] as string[] | undefined;
      response.writeHead(200).end(list ? [...list.slice(0, 9), rest].join("\n") : JSON.stringify(documents?.[path]));
    });
    expect(await refusalOf(server, "aws-machines", { limits: { mostListBytes: 1_000_000 } })).toMatch(refusal);
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
    [
      "is for somebody else, though no key was sent",
      "oracle",
      (_, response) => response.writeHead(403).end(),
      /^refused: .* answers with status 403\.$/,
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
    const limits = refusal.source.includes("too-slow") ? shortLimits : {};
    expect(await refusalOf(server, feed, { limits })).toMatch(refusal);
  });

  it("is none where nobody answers", async () => {
    const url = server.urlOf("oracle");
    await server.stop();
    const read = feedReader({ oracle: { url, key: null } }, testLimits);
    await expect(
      read("oracle", { regions: [] }, { signal: new AbortController().signal, now: testNow }),
    ).rejects.toMatchObject({
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
    expect(await refusalOf(server, feed, { key: null })).toMatch(new RegExp(`^no-key: .*${setting}`));
    expect(server.asked).toEqual([]);
    const refusal = await refusalOf(server, feed, { key: "a-wrong-secret" });
    expect(refusal).toMatch(/^refused: .* refuses the key \(status 40[13]\)\.$/);
    expect(refusal).not.toContain("a-wrong-secret");
  });
});

it("ends when whoever reads it stops", async () => {
  server.answer("oracle", () => {});
  const stopping = new AbortController();
  const reading = feedReader({ oracle: { url: server.urlOf("oracle"), key: null } })(
    "oracle",
    { regions: [] },
    { signal: stopping.signal, now: testNow },
  );
  stopping.abort();
  await expect(reading).rejects.toThrow();
});
