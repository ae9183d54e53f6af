import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import type { PriceFeedName } from "@fairlead/domain/cost";
import { estimateRequest } from "@fairlead/domain/cost";
import { readPriceSeed } from "@fairlead/domain/cost/price-seed";
import { type FeedAccess, feedReader } from "@fairlead/drivers/prices";
import { type FeedServer, feedKeys, serveFeeds } from "@fairlead/drivers/prices-testing";
import {
  estimateCost,
  getPriceRefresh,
  importPrices,
  type ServiceContext,
  startPriceRefresh,
} from "@fairlead/services";
import { createTestOrganization } from "@fairlead/services/testing";
import { jsonLog } from "@fairlead/telemetry";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startPriceRefreshes } from "./index.ts";

let database: TestDatabase;
let server: FeedServer;
let ctx: ServiceContext;
let stop: (() => Promise<void>) | undefined;
beforeEach(async () => {
  database = await createTestDatabase();
  server = await serveFeeds();
  ctx = await createTestOrganization(database.db);
  await importPrices(database.db, { name: "seed", points: readPriceSeed() }, new Date());
});
afterEach(async () => {
  await stop?.();
  stop = undefined;
  await server.stop();
  await database.drop();
});

const log = jsonLog(() => {});
const at = (feed: PriceFeedName, key: string | null = null): [PriceFeedName, FeedAccess] => [
  feed,
  { url: server.urlOf(feed), key },
];
function run(scheduled: PriceFeedName[] = []): void {
  const access = [at("aws"), at("azure"), at("oracle"), at("gcp", feedKeys.gcp), at("hetzner", feedKeys.hetzner)];
  const read = feedReader(Object.fromEntries(access));
  stop = startPriceRefreshes({ db: database.db, log, read, scheduled, everyMs: 20 }).stop;
}
const ended = (id: string) =>
  expect
    .poll(() => getPriceRefresh(ctx, id).then(({ state, reason }) => `${state} ${reason}`), { timeout: 60_000 })
    .not.toMatch(/^(waiting|running)/);

it("reads every scheduled feed, accepts small changes, and holds the rest", async () => {
  run(["aws", "azure", "gcp", "hetzner", "oracle"]);
  const stand = async () => {
    const rows = await database.db.priceRefresh.findMany({ orderBy: { feed: "asc" } });
    return Object.fromEntries(rows.map(({ feed, state, reason }) => [feed, `${state}${reason}`]));
  };
  await expect.poll(stand, { timeout: 60_000 }).toEqual({
    aws: "held",
    azure: "held",
    gcp: "applied",
    hetzner: "applied",
    oracle: "applied",
  });
  // A European region without prices has offers now.
  const request = estimateRequest.parse({ profile: { averageMbps: 25 }, providers: ["aws"], regions: ["eu-west-1"] });
  const { options } = await estimateCost({ ...ctx, now: new Date(Date.now() + 60_000) }, request);
  const alb = options.find(({ offerId }) => offerId === "aws-clb");
  expect(alb?.prices.every(({ confidence }) => confidence === "fed")).toBe(true);
});

it("reads a feed on request, and reports what was wrong with it", async () => {
  run();
  server.edit("oracle", (text) => text.replaceAll('"USD"', '"EUR"'));
  const before = await database.db.pricePoint.count();
  const { id } = await startPriceRefresh(ctx, { feed: "oracle" });
  await ended(id);
  expect(await getPriceRefresh(ctx, id)).toMatchObject({
    state: "failed",
    reason: "Requested USD, received EUR for B93030, flexible-lb.",
  });
  expect(await database.db.pricePoint.count()).toBe(before);
  server.edit("oracle", (text) => text.replaceAll('"EUR"', '"USD"').replaceAll("0.0113", "0.0226"));
  const again = await startPriceRefresh(ctx, { feed: "oracle" });
  await ended(again.id);
  expect(await getPriceRefresh(ctx, again.id)).toMatchObject({
    state: "held",
    held: [{ sku: "flexible-lb", reasons: [{ kind: "moved" }] }],
  });
});

it("stops while a feed doesn't respond, and leaves it to the next controller", async () => {
  server.answer("oracle", () => {});
  run();
  const { id } = await startPriceRefresh(ctx, { feed: "oracle" });
  await expect.poll(() => server.requests.length, { timeout: 60_000 }).toBe(1);
  const beganAt = performance.now();
  await stop?.();
  expect(performance.now() - beganAt).toBeLessThan(15_000);
  expect(await getPriceRefresh(ctx, id)).toMatchObject({ state: "running" });
  server.answer("oracle", null);
  await database.db.priceRefresh.update({ where: { id }, data: { leaseUntil: new Date(0) } });
  run();
  await ended(id);
  expect(await getPriceRefresh(ctx, id)).toMatchObject({ state: "applied" });
});
