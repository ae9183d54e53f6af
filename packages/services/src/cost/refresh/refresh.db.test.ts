import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import type { FeedRead, PricePoint } from "@fairlead/domain";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ServiceContext } from "../../context.ts";
import { createTestOrganization } from "../../testing/index.ts";
import { selectNewestPrices, takeInPrices } from "../index.ts";
import {
  acceptHeldPrices,
  claimPriceRefresh,
  finishPriceRefresh,
  getPriceRefresh,
  listPriceRefreshes,
  listWantedRegions,
  rejectHeldPrices,
  schedulePriceRefreshes,
  startPriceRefresh,
} from "./index.ts";

let database: TestDatabase;
let ctx: ServiceContext;
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = await createTestOrganization(database.db);
});
afterAll(() => database.drop());
beforeEach(async () => {
  const { db } = database;
  await db.priceRefresh.deleteMany();
  await db.pricePoint.deleteMany();
  await db.priceList.deleteMany();
  await db.auditEntry.deleteMany();
  await db.event.deleteMany();
  await takeInPrices(
    db,
    { name: "seed", points: [price(), price({ sku: "nlb" }), price({ region: "eu-west-1" })] },
    now,
  );
});

const now = new Date("2026-11-25T12:00:00Z");
const later = (ms: number) => new Date(now.getTime() + ms);
const dayMs = 86_400_000;
const price = (fields: Partial<PricePoint> = {}): PricePoint => ({
  provider: "aws",
  region: "us-east-1",
  sku: "alb",
  unit: "hour",
  fromUnits: 0,
  micros: 22_500,
  per: 1,
  currency: "USD",
  asOf: "2026-09-20",
  source: "https://seed.example",
  confidence: "published",
  ...fields,
});
const says = (micros: Record<string, number>, day = "2026-11-24"): FeedRead => ({
  provider: "aws",
  asOf: day,
  source: "https://feed.example",
  regions: ["us-east-1"],
  skus: ["alb", "nlb"],
  points: Object.entries(micros).map(([sku, each]) =>
    price({ sku, micros: each, asOf: day, source: "https://feed.example", confidence: "fed" }),
  ),
});

/** refresh asks for a feed, and has it say something. */
async function refresh(read: FeedRead, at = now): Promise<string> {
  const { id } = await startPriceRefresh({ ...ctx, now: at }, { feed: "aws" });
  const claimed = await claimPriceRefresh(ctx.db, at);
  expect(claimed?.id).toBe(id);
  if (claimed) expect(await finishPriceRefresh(ctx.db, claimed, { read }, at)).toBe(true);
  return id;
}
const get = (id: string) => getPriceRefresh(ctx, id);
const counts = async (sku: string, region = "us-east-1") =>
  (await selectNewestPrices(ctx.db))
    .filter((each) => each.sku === sku && each.region === region)
    .map((each) => each.micros);

describe("a refresh", () => {
  it("takes what is about as it was, holds the rest, and tells who may decide", async () => {
    const id = await refresh(says({ alb: 24_000, nlb: 45_000 }));
    expect(await get(id)).toMatchObject({
      state: "held",
      askedBy: "Test",
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
      { reason: "PricesHeld", message: "1 price waits for somebody to decide; 1 were taken.", subjectId: id },
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

  it("of which nothing waits is applied, and what the feed leaves out waits", async () => {
    expect(await get(await refresh(says({ alb: 22_500, nlb: 22_500 })))).toMatchObject({
      state: "applied",
      unchangedCount: 2,
      held: [],
    });
    expect(await get(await refresh(says({ alb: 22_500 })))).toMatchObject({
      state: "held",
      held: [{ sku: "nlb", after: [], reasons: [{ kind: "missing" }] }],
    });
  });

  it("that failed says why, changes no price, and is told of", async () => {
    const { id } = await startPriceRefresh(ctx, { feed: "aws" });
    const claimed = await claimPriceRefresh(ctx.db, now);
    if (claimed) await finishPriceRefresh(ctx.db, claimed, { problem: "It ends in the middle." }, now);
    expect(await get(id)).toMatchObject({ state: "failed", reason: "It ends in the middle.", endedAt: now });
    expect(await counts("alb")).toEqual([22_500]);
    expect(await ctx.db.event.findMany()).toMatchObject([{ reason: "PriceRefreshFailed" }]);
  });

  it("is asked for once at a time, and again after it ended", async () => {
    const first = await startPriceRefresh(ctx, { feed: "aws" });
    expect((await startPriceRefresh(ctx, { feed: "aws" })).id).toBe(first.id);
    expect((await startPriceRefresh(ctx, { feed: "azure" })).id).not.toBe(first.id);
    expect(await ctx.db.auditEntry.count({ where: { action: "price-refresh.start" } })).toBe(2);
    expect(
      (await listPriceRefreshes(ctx, { feed: ["aws"], sort: "askedAt", direction: "desc", limit: 10 })).total,
    ).toBe(1);
  });

  it("of a controller that is gone is begun anew by another, and ended by that one alone", async () => {
    await startPriceRefresh(ctx, { feed: "aws" });
    const lost = await claimPriceRefresh(ctx.db, now);
    expect(await claimPriceRefresh(ctx.db, later(60_000))).toBeNull();
    const taken = await claimPriceRefresh(ctx.db, later(11 * 60_000));
    expect(taken).toMatchObject({ id: lost?.id, attempt: 2 });
    if (!lost || !taken) return;
    expect(await finishPriceRefresh(ctx.db, lost, { read: says({ alb: 1 }) }, now)).toBe(false);
    expect(await counts("alb")).toEqual([22_500]);
    expect(await finishPriceRefresh(ctx.db, taken, { read: says({ alb: 22_500, nlb: 22_500 }) }, now)).toBe(true);
  });

  it("is scheduled once a day for each feed that is named, however many controllers do so", async () => {
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
      sort: "askedAt",
      direction: "desc",
      limit: 10,
    });
    expect(items).toMatchObject([{ askedBy: "the schedule", isScheduled: true }, { isScheduled: true }]);
  });

  it("asks for the regions that have prices", async () => {
    expect(await listWantedRegions(ctx.db, "aws")).toEqual(["eu-west-1", "us-east-1"]);
  });

  it("leaves no tier of the same day beside those that it says", async () => {
    const tiers = (bounds: number[]): FeedRead => ({
      ...says({}),
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

describe("a held price", () => {
  it("counts once somebody accepts it, and that stays written down", async () => {
    const id = await refresh(says({ alb: 45_000, nlb: 45_000 }));
    const { held } = await get(id);
    const [first] = held;
    const half = await acceptHeldPrices(ctx, { id, heldIds: [first?.id ?? ""] });
    expect(half).toMatchObject({ state: "held", acceptedCount: 1, waitingCount: 1 });
    expect(half.held.map(({ sku, state, decidedBy }) => [sku, state, decidedBy])).toEqual([
      ["nlb", "waiting", null],
      ["alb", "accepted", "Test"],
    ]);
    expect([await counts("alb"), await counts("nlb")]).toEqual([[45_000], [22_500]]);
    expect(await acceptHeldPrices(ctx, { id })).toMatchObject({ state: "applied", acceptedCount: 2 });
    expect(await counts("nlb")).toEqual([45_000]);
    expect(
      await ctx.db.auditEntry.findMany({ where: { action: "price-refresh.accept" }, orderBy: { at: "asc" } }),
    ).toMatchObject([
      {
        subjectId: id,
        subjectName: "AWS",
        actorName: "Test",
        before: { "alb in us-east-1": ["0.0225 USD from 0"] },
        after: { "alb in us-east-1": ["0.045 USD from 0"] },
      },
      {},
    ]);
  });

  it("that is rejected changes nothing, and isn't asked about again until the feed says something else", async () => {
    const id = await refresh(says({ alb: 45_000, nlb: 22_500 }));
    expect(await rejectHeldPrices(ctx, { id })).toMatchObject({ state: "applied", rejectedCount: 1 });
    expect(await counts("alb")).toEqual([22_500]);
    expect(await get(await refresh(says({ alb: 45_000, nlb: 22_500 }), later(dayMs)))).toMatchObject({
      state: "applied",
      skippedCount: 1,
    });
    expect(await get(await refresh(says({ alb: 46_000, nlb: 22_500 }), later(2 * dayMs)))).toMatchObject({
      state: "held",
      waitingCount: 1,
    });
  });

  it("that is gone keeps its last price, and isn't asked about again", async () => {
    const id = await refresh(says({ alb: 22_500 }));
    await acceptHeldPrices(ctx, { id });
    expect(await counts("nlb")).toEqual([22_500]);
    expect(await get(await refresh(says({ alb: 22_500 }), later(dayMs)))).toMatchObject({
      state: "applied",
      skippedCount: 1,
    });
  });

  it("of a feed that is older than what is known counts from the day somebody accepts it", async () => {
    const id = await refresh(says({ alb: 23_000, nlb: 22_500 }, "2026-08-01"));
    expect((await get(id)).held).toMatchObject([{ reasons: [{ kind: "older" }] }]);
    await acceptHeldPrices({ ...ctx, now }, { id });
    expect(
      (await selectNewestPrices(ctx.db)).find((each) => each.sku === "alb" && each.region === "us-east-1"),
    ).toMatchObject({
      micros: 23_000,
      asOf: "2026-11-25",
    });
  });

  it("is decided once, and not any more after the feed was read anew", async () => {
    const id = await refresh(says({ alb: 45_000, nlb: 22_500 }));
    const heldIds = (await get(id)).held.map((each) => each.id);
    const again = await refresh(says({ alb: 47_000, nlb: 22_500 }), later(dayMs));
    expect(await get(id)).toMatchObject({ state: "applied", held: [{ state: "superseded" }] });
    await expect(acceptHeldPrices(ctx, { id, heldIds })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("A later refresh says of alb in us-east-1 what counts now"),
    });
    await expect(acceptHeldPrices(ctx, { id })).rejects.toMatchObject({ code: "conflict" });
    const newer = (await get(again)).held.map((each) => each.id);
    await rejectHeldPrices(ctx, { id: again, heldIds: newer });
    await expect(acceptHeldPrices(ctx, { id: again, heldIds: newer })).rejects.toMatchObject({
      code: "conflict",
      message: "Test has rejected alb in us-east-1 already.",
    });
    await expect(acceptHeldPrices(ctx, { id: again, heldIds })).rejects.toMatchObject({ code: "invalid" });
  });

  it("is decided by one of two who decide at once", async () => {
    const id = await refresh(says({ alb: 45_000, nlb: 22_500 }));
    const heldIds = (await get(id)).held.map((each) => each.id);
    const both = await Promise.allSettled([
      acceptHeldPrices(ctx, { id, heldIds }),
      rejectHeldPrices(ctx, { id, heldIds }),
    ]);
    expect(both.map((each) => each.status).sort()).toEqual(["fulfilled", "rejected"]);
    const { acceptedCount } = await get(id);
    expect(await counts("alb")).toEqual([acceptedCount === 1 ? 45_000 : 22_500]);
  });

  it("isn't lost when the feed is read anew while somebody decides", async () => {
    const id = await refresh(says({ alb: 45_000, nlb: 22_500 }));
    const at = later(dayMs);
    await startPriceRefresh({ ...ctx, now: at }, { feed: "aws" });
    const claimed = await claimPriceRefresh(ctx.db, at);
    if (!claimed) throw new Error("nothing to claim");
    const [decided] = await Promise.allSettled([
      acceptHeldPrices(ctx, { id }),
      finishPriceRefresh(ctx.db, claimed, { read: says({ alb: 45_000, nlb: 22_500 }) }, at),
    ]);
    const [micros] = await counts("alb");
    const newer = await get(claimed.id);
    if (decided.status === "fulfilled") expect([micros, newer.waitingCount]).toEqual([45_000, 0]);
    else expect([micros, newer.waitingCount]).toEqual([22_500, 1]);
  });
});

describe("prices are those of all", () => {
  it("so only people of the organisation that set Fairlead up see and decide how they change", async () => {
    const other = await createTestOrganization(database.db);
    const list = { sort: "askedAt", direction: "desc", limit: 10 } as const;
    for (const refused of [
      () => listPriceRefreshes(other, list),
      () => startPriceRefresh(other, { feed: "aws" }),
      () => acceptHeldPrices(other, { id: "rfr_1" }),
    ])
      await expect(refused()).rejects.toMatchObject({
        code: "forbidden",
        message: expect.stringContaining("set Fairlead up"),
      });
    const viewer: ServiceContext = { ...ctx, actor: { kind: "user", id: "v", name: "V", role: "operator" } };
    expect((await listPriceRefreshes(viewer, list)).items).toEqual([]);
    await expect(startPriceRefresh(viewer, { feed: "aws" })).rejects.toMatchObject({ code: "forbidden" });
    await expect(getPriceRefresh(ctx, "rfr_1")).rejects.toMatchObject({ code: "not-found" });
  });
});
