import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { PriceFeedName, priceFeeds } from "@fairlead/domain/cost";

type KeyedFeed = {
  [Name in PriceFeedName]: (typeof priceFeeds)[Name]["keyVariable"] extends null ? never : Name;
}[PriceFeedName];

/** The valid keys of the feeds that need one. */
export const feedKeys = { gcp: "key-of-google", hetzner: "token-of-hetzner" } as const satisfies Record<
  KeyedFeed,
  string
>;

/** keyOf is the valid key of a feed; null if it needs none. */
export function keyOf(feed: PriceFeedName): string | null {
  const keys: Partial<Record<PriceFeedName, string>> = feedKeys;
  return keys[feed] ?? null;
}

type Json = Record<string, unknown>;

export type FeedServer = {
  /** The URL of a feed. Each has its own path. */
  urlOf: (feed: PriceFeedName) => string;
  /** edit changes the text of all further responses of a feed. */
  edit: (feed: PriceFeedName, change: (text: string) => string) => void;
  /** answer replaces all responses of a feed. */
  answer: (feed: PriceFeedName, handler: ((request: IncomingMessage, response: ServerResponse) => void) | null) => void;
  /** The requested paths, in order, without the path of the feed. */
  requests: string[];
  stop: () => Promise<void>;
};

const pageSize = 4;

/** serveFeeds serves feeds as documented by the providers, over HTTP on this machine. */
export async function serveFeeds(port = 0): Promise<FeedServer> {
  const texts = new Map<string, string>();
  const handlers = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const [, feed = "", rest = ""] = /^\/([\w-]+)(\/.*)$/.exec(request.url ?? "") ?? [];
    requests.push(rest);
    const handler = handlers.get(feed);
    if (handler) return handler(request, response);
    const url = new URL(rest, "http://feed");
    const origin = `http://${request.headers.host}/${feed}`;
    if (!isFeed(feed)) return response.writeHead(404).end();
    const text = texts.get(feed) ?? readFixture(feed);
    const [status, body] = answers[feed](JSON.parse(text) as Json, { url, origin, headers: request.headers });
    if (typeof body === "string") response.writeHead(status, { "content-type": "text/csv" }).end(body);
    else response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const { port: bound } = server.address() as AddressInfo;
  return {
    requests,
    urlOf: (feed) => `http://127.0.0.1:${bound}/${feed}`,
    edit: (feed, change) => texts.set(feed, change(texts.get(feed) ?? readFixture(feed))),
    answer: (feed, handler) => (handler ? handlers.set(feed, handler) : handlers.delete(feed)),
    stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

function readFixture(feed: string): string {
  return readFileSync(new URL(`./fixtures/${feed}.json`, import.meta.url), "utf8");
}

type Request = { url: URL; origin: string; headers: IncomingMessage["headers"] };

/** A body that is a text is sent as CSV. */
const answers: Record<PriceFeedName, (fixture: Json, request: Request) => [status: number, body: unknown]> = {
  aws(fixture, { url }) {
    const found = (fixture.documents as Json)[url.pathname];
    return found ? [200, found] : [404, { message: "no such document" }];
  },
  "aws-machines"(fixture, { url }) {
    const list = (fixture.lists as Record<string, string[]>)[url.pathname];
    const found = list?.join("\n") ?? (fixture.documents as Json)[url.pathname];
    return found ? [200, found] : [404, { message: "no such document" }];
  },
  azure: (fixture, { url, origin }) => [200, azurePage(fixture, url, origin)],
  gcp(fixture, { url, headers }) {
    if (headers["x-goog-api-key"] !== feedKeys.gcp) return [403, { error: { code: 403, status: "PERMISSION_DENIED" } }];
    return [200, gcpPage(fixture, url)];
  },
  oracle: (fixture) => [200, fixture],
  hetzner(fixture, { headers }) {
    if (headers.authorization !== `Bearer ${feedKeys.hetzner}`) return [401, { error: { code: "unauthorized" } }];
    return [200, fixture];
  },
};

function isFeed(name: string): name is PriceFeedName {
  return Object.hasOwn(answers, name);
}

/** azurePage only looks at the values in a filter, which is enough here. */
function azurePage(fixture: Json, url: URL, origin: string): Json {
  const filter = url.searchParams.get("$filter") ?? "";
  const has = (field: string, value: unknown) =>
    !filter.includes(`${field} eq`) || filter.includes(`${field} eq '${value}'`);
  const fields = ["serviceName", "meterName", "armRegionName", "armSkuName"];
  const found = (fixture.items as Json[]).filter((item) => fields.every((field) => has(field, item[field])));
  const skip = Number(url.searchParams.get("$skip") ?? 0);
  const next = new URL(`${origin}${url.pathname}${url.search}`);
  next.searchParams.set("$skip", String(skip + pageSize));
  return {
    BillingCurrency: "USD",
    CustomerEntityId: "Default",
    CustomerEntityType: "Retail",
    Items: found.slice(skip, skip + pageSize),
    NextPageLink: skip + pageSize < found.length ? next.href : null,
    Count: Math.min(pageSize, found.length - skip),
  };
}

function gcpPage(fixture: Json, url: URL): Json {
  const skus = (url.pathname.includes("/6F81-5844-456A/") ? fixture.compute : fixture.skus) as Json[];
  const from = Number(url.searchParams.get("pageToken") ?? 0);
  const next = from + pageSize;
  return { skus: skus.slice(from, next), nextPageToken: next < skus.length ? String(next) : "" };
}
