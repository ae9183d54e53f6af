import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type PriceFeedName, priceFeedNames, priceFeeds } from "@fairlead/domain/cost";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { feedReader } from "./read-feed.ts";
import { type FeedServer, serveFeeds } from "./testing/index.ts";
import { refusalOf, shortLimits, testLimits, testNow } from "./testing/refusal-of.ts";

let server: FeedServer;
beforeEach(async () => {
  server = await serveFeeds();
});
afterEach(() => server.stop());

describe("a harmful response", () => {
  it("is aborted as soon as it is too long, even if it is endless", async () => {
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
      /^too-long: The response of 127\.0\.0\.1:\d+ is longer than 200000 bytes\.$/,
    );
    // No more than fits into the buffers on the way.
    expect(sent).toBeLessThan(16 * 1024 * 1024);
  });

  it("has a limit for all responses together too", async () => {
    expect(await refusalOf(server, "aws", { limits: { mostBytesInAll: 9_000 } })).toMatch(/^too-long/);
    expect(await refusalOf(server, "azure", { limits: { mostDocuments: 3 } })).toBe(
      "endless: The feed has more than 3 pages.",
    );
  });

  it("is aborted if it is a list, too, but with a much higher limit", async () => {
    const limits = { mostBytes: 5_000, mostBytesInAll: 5_000, mostListBytes: 50_000 };
    expect(await refusalOf(server, "aws-machines", { limits })).toBe("taken");
    expect(await refusalOf(server, "aws-machines", { limits: { mostListBytes: 5_000 } })).toMatch(
      /^too-long: .* is longer than 5000 bytes\.$/,
    );
  });

  it.each([
    ["a row", '"X","JRTCKXETXF"', /^truncated: Incomplete row in the list of machines of eu-central-1\./],
    ["a word", '"X","JRTCK', /^truncated: The response of .* is incomplete/],
    ["a word that never ends", `"${"x".repeat(300_000)}`, /^malformed: The response of .* is not CSV/],
  ])("is rejected if it is a list that ends within %s", async (_, rest, refusal) => {
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
      "redirects",
      "oracle",
      (_, response) => response.writeHead(302, { location: "http://169.254.169.254/latest" }).end(),
      /^redirected: 127\.0\.0\.1:\d+ redirects to 169\.254\.169\.254; redirects are not followed\.$/,
    ],
    ["stays silent", "oracle", () => {}, /^too-slow/],
    ["stalls in the middle", "oracle", (_, response) => response.writeHead(200).write('{"items": ['), /^too-slow/],
    [
      "trickles endlessly",
      "oracle",
      (request, response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write(" "), 50);
        request.on("close", () => clearInterval(timer));
      },
      /^too-slow/,
    ],
    [
      "is interrupted",
      "oracle",
      (_, response) => {
        response.writeHead(200, { "content-length": 1_000 });
        response.write('{"items": [', () => response.destroy());
      },
      /^truncated: 127\.0\.0\.1:\d+ closed the connection/,
    ],
    [
      "is incomplete without an error",
      "oracle",
      (_, response) => response.writeHead(200).end('{"lastUpdated": "2026-11-20T00:00:00Z", "items": [{"partNum'),
      /^truncated: The response of .* is incomplete\.$/,
    ],
    ["is an HTML page", "aws", (_, response) => response.writeHead(200).end("<html>"), /^malformed: .* is not JSON\.$/],
    [
      "is forbidden, although no key was sent",
      "oracle",
      (_, response) => response.writeHead(403).end(),
      /^refused: .* returned status 403\.$/,
    ],
    ["fails", "azure", (_, response) => response.writeHead(503).end(), /^refused: .* status 503\.$/],
    [
      "has another format",
      "gcp",
      (_, response) => response.writeHead(200).end("[]"),
      /^malformed: A page of prices has an unexpected format/,
    ],
    ["is empty", "hetzner", (_, response) => response.writeHead(200).end(), /^malformed/],
  ])("is rejected because it %s", async (_, feed, handler, refusal) => {
    server.answer(feed, handler);
    const limits = refusal.source.includes("too-slow") ? shortLimits : {};
    expect(await refusalOf(server, feed, { limits })).toMatch(refusal);
  });

  it("is not needed for a message if the server is down", async () => {
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
  it.each(
    priceFeedNames.flatMap((feed): [PriceFeedName, string][] => {
      const setting = priceFeeds[feed].keyVariable;
      return setting ? [[feed, setting]] : [];
    }),
  )("of %s is required, and reported as rejected if it is wrong", async (feed, setting) => {
    expect(await refusalOf(server, feed, { key: null })).toMatch(new RegExp(`^no-key: .*${setting}`));
    expect(server.requests).toEqual([]);
    const refusal = await refusalOf(server, feed, { key: "a-wrong-secret" });
    expect(refusal).toMatch(/^refused: .* rejects the key \(status 40[13]\)\.$/);
    expect(refusal).not.toContain("a-wrong-secret");
  });
});

it("a read ends when it is aborted", async () => {
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
