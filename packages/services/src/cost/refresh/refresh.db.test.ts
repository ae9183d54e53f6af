import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import type { FeedRead } from "@fairlead/domain/cost";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ServiceContext } from "../../context.ts";
import { createTestOrganization } from "../../testing/index.ts";
import { selectNewestPrices } from "../index.ts";
import {
  claimPriceRefresh,
  finishPriceRefresh,
  listPriceRefreshes,
  listWantedRegions,
  schedulePriceRefreshes,
  startPriceRefresh,
} from "./index.ts";
import { clearPrices, dayMs, feedWith, later, now, price, type Stage, stageOf } from "./testing/stage.ts";

let database: TestDatabase;
let ctx: ServiceContext;
let get: Stage["get"];
let counts: Stage["counts"];
let refresh: Stage["refresh"];
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = await createTestOrganization(database.db);
  ({ get, counts, refresh } = stageOf(ctx));
});
afterAll(() => database.drop());
beforeEach(() => clearPrices(database));

describe("a refresh", () => {
  it("applies small changes, holds the rest, and notifies those who may decide", async () => {
    const id = await refresh(feedWith({ alb: 24_000, nlb: 45_000 }));
    expect(await get(id)).toMatchObject({
      state: "held",
      requestedBy: "Test",
      isScheduled: false,
      asOf: "2026-11-24",
      source: "https://feed.example",
      readCount: 2,
      appliedCount: 1,
      waitingCount: 1,
      held: [
        {
          sku: "nlb",
          before: [{ fromUnits: 0, micros: 22_500, per: 1 }],
          beforeAsOf: "2026-09-20",
          after: [{ micros: 45_000 }],
          reasons: [{ kind: "moved" }],
          state: "waiting",
        },
      ],
    });
    expect(await counts("alb")).toEqual([24_000]);
    expect(await counts("nlb")).toEqual([22_500]);
    expect(await ctx.db.event.findMany({ where: { organizationId: ctx.organizationId } })).toMatchObject([
      { reason: "PricesHeld", message: "1 price waits for review; 1 was applied.", subjectId: id },
    ]);
    const all = await ctx.db.pricePoint.findMany({
      where: { sku: "alb", region: "us-east-1" },
      orderBy: { asOf: "asc" },
    });
    expect(all.map(({ asOf, confidence }) => [asOf, confidence])).toEqual([
      ["2026-09-20", "published"],
      ["2026-11-24", "fed"],
    ]);
  });

  it("with nothing held is applied, and what the feed leaves out is held", async () => {
    expect(await get(await refresh(feedWith({ alb: 22_500, nlb: 22_500 })))).toMatchObject({
      state: "applied",
      unchangedCount: 2,
      held: [],
    });
    expect(await get(await refresh(feedWith({ alb: 22_500 })))).toMatchObject({
      state: "held",
      held: [{ sku: "nlb", after: [], reasons: [{ kind: "missing" }] }],
    });
  });

  it("that failed shows why, changes no price, and is reported", async () => {
    const { id } = await startPriceRefresh(ctx, { feed: "aws" });
    const claimed = await claimPriceRefresh(ctx.db, now);
    if (claimed) await finishPriceRefresh(ctx.db, claimed, { problem: "It ends in the middle." }, now);
    expect(await get(id)).toMatchObject({ state: "failed", reason: "It ends in the middle.", endedAt: now });
    expect(await counts("alb")).toEqual([22_500]);
    expect(await ctx.db.event.findMany()).toMatchObject([{ reason: "PriceRefreshFailed" }]);
  });

  it("is requested once at a time, and again after it ended", async () => {
    const first = await startPriceRefresh(ctx, { feed: "aws" });
    expect((await startPriceRefresh(ctx, { feed: "aws" })).id).toBe(first.id);
    expect((await startPriceRefresh(ctx, { feed: "azure" })).id).not.toBe(first.id);
    expect(await ctx.db.auditEntry.count({ where: { action: "price-refresh.start" } })).toBe(2);
    expect(
      (await listPriceRefreshes(ctx, { feed: ["aws"], sort: "requestedAt", direction: "desc", limit: 10 })).total,
    ).toBe(1);
  });

  it("of a controller that is gone is restarted by another, and finished by that one alone", async () => {
    await startPriceRefresh(ctx, { feed: "aws" });
    const lost = await claimPriceRefresh(ctx.db, now);
    expect(await claimPriceRefresh(ctx.db, later(60_000))).toBeNull();
    const taken = await claimPriceRefresh(ctx.db, later(11 * 60_000));
    expect(taken).toMatchObject({ id: lost?.id, attempt: 2 });
    if (!lost || !taken) return;
    expect(await finishPriceRefresh(ctx.db, lost, { read: feedWith({ alb: 1 }) }, now)).toBe(false);
    expect(await counts("alb")).toEqual([22_500]);
    expect(await finishPriceRefresh(ctx.db, taken, { read: feedWith({ alb: 22_500, nlb: 22_500 }) }, now)).toBe(true);
  });

  it("is scheduled once a day for each configured feed, however many controllers do so", async () => {
    const schedule = (at: Date) => schedulePriceRefreshes(ctx.db, ["aws", "oracle"], at);
    expect(await schedulePriceRefreshes(ctx.db, [], now)).toBe(0);
    const made = await Promise.all([schedule(now), schedule(now), schedule(now)]);
    expect(made.reduce((sum, each) => sum + each, 0)).toBe(2);
    for (const _ of made) {
      const claimed = await claimPriceRefresh(ctx.db, now);
      if (claimed) await finishPriceRefresh(ctx.db, claimed, { problem: "away" }, now);
    }
    expect(await schedule(later(dayMs - 1))).toBe(0);
    expect(await schedule(later(dayMs + 1))).toBe(2);
    const { items } = await listPriceRefreshes(ctx, {
      state: ["waiting"],
      sort: "requestedAt",
      direction: "desc",
      limit: 10,
    });
    expect(items).toMatchObject([{ requestedBy: "the schedule", isScheduled: true }, { isScheduled: true }]);
  });

  it("requests the regions that have prices", async () => {
    for (const feed of ["aws", "aws-machines"] as const)
      expect(await listWantedRegions(ctx.db, feed)).toEqual(["eu-west-1", "us-east-1"]);
  });

  it("leaves no old tier of the same day next to its own", async () => {
    const tiers = (bounds: number[]): FeedRead => ({
      ...feedWith({}),
      points: bounds.map((fromUnits) =>
        price({ sku: "egress", unit: "GB", fromUnits, micros: 90_000, asOf: "2026-11-24", confidence: "fed" }),
      ),
      skus: ["egress"],
    });
    await refresh(tiers([0, 10_240, 51_200]));
    await refresh(tiers([0, 10_335]));
    expect(
      (await selectNewestPrices(ctx.db)).filter((each) => each.sku === "egress").map((each) => each.fromUnits),
    ).toEqual([0, 10_335]);
  });
});
