import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ServiceContext } from "../../context.ts";
import { createTestOrganization } from "../../testing/index.ts";
import { selectNewestPrices } from "../index.ts";
import {
  acceptHeldPrices,
  claimPriceRefresh,
  finishPriceRefresh,
  getPriceRefresh,
  listPriceRefreshes,
  rejectHeldPrices,
  startPriceRefresh,
} from "./index.ts";
import { clearPrices, dayMs, feedWith, later, now, type Stage, stageOf } from "./testing/stage.ts";

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

describe("a held price", () => {
  it("applies once a user accepts it, and the decision stays recorded", async () => {
    const id = await refresh(feedWith({ alb: 45_000, nlb: 45_000 }));
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

  it("that is rejected changes nothing, and isn't held again until the feed has another price", async () => {
    const id = await refresh(feedWith({ alb: 45_000, nlb: 22_500 }));
    expect(await rejectHeldPrices(ctx, { id })).toMatchObject({ state: "applied", rejectedCount: 1 });
    expect(await counts("alb")).toEqual([22_500]);
    expect(await get(await refresh(feedWith({ alb: 45_000, nlb: 22_500 }), later(dayMs)))).toMatchObject({
      state: "applied",
      skippedCount: 1,
    });
    expect(await get(await refresh(feedWith({ alb: 46_000, nlb: 22_500 }), later(2 * dayMs)))).toMatchObject({
      state: "held",
      waitingCount: 1,
    });
  });

  it("that is gone keeps its last price, and isn't held again", async () => {
    const id = await refresh(feedWith({ alb: 22_500 }));
    await acceptHeldPrices(ctx, { id });
    expect(await counts("nlb")).toEqual([22_500]);
    expect(await get(await refresh(feedWith({ alb: 22_500 }), later(dayMs)))).toMatchObject({
      state: "applied",
      skippedCount: 1,
    });
  });

  it("of a feed that is older than the known prices applies from the day it is accepted", async () => {
    const id = await refresh(feedWith({ alb: 23_000, nlb: 22_500 }, "2026-08-01"));
    expect((await get(id)).held).toMatchObject([{ reasons: [{ kind: "older" }] }]);
    await acceptHeldPrices({ ...ctx, now }, { id });
    expect(
      (await selectNewestPrices(ctx.db)).find((each) => each.sku === "alb" && each.region === "us-east-1"),
    ).toMatchObject({
      micros: 23_000,
      asOf: "2026-11-25",
    });
  });

  it("is decided once, and no more after the feed was read again", async () => {
    const id = await refresh(feedWith({ alb: 45_000, nlb: 22_500 }));
    const heldIds = (await get(id)).held.map((each) => each.id);
    const again = await refresh(feedWith({ alb: 47_000, nlb: 22_500 }), later(dayMs));
    expect(await get(id)).toMatchObject({ state: "applied", held: [{ state: "superseded" }] });
    await expect(acceptHeldPrices(ctx, { id, heldIds })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("A later refresh has a newer price of alb in us-east-1"),
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

  it("is decided by one of two users who decide at once", async () => {
    const id = await refresh(feedWith({ alb: 45_000, nlb: 22_500 }));
    const heldIds = (await get(id)).held.map((each) => each.id);
    const both = await Promise.allSettled([
      acceptHeldPrices(ctx, { id, heldIds }),
      rejectHeldPrices(ctx, { id, heldIds }),
    ]);
    expect(both.map((each) => each.status).sort()).toEqual(["fulfilled", "rejected"]);
    const { acceptedCount } = await get(id);
    expect(await counts("alb")).toEqual([acceptedCount === 1 ? 45_000 : 22_500]);
  });

  it("isn't lost when the feed is read again during a decision", async () => {
    const id = await refresh(feedWith({ alb: 45_000, nlb: 22_500 }));
    const at = later(dayMs);
    await startPriceRefresh({ ...ctx, now: at }, { feed: "aws" });
    const claimed = await claimPriceRefresh(ctx.db, at);
    if (!claimed) throw new Error("nothing to claim");
    const [decided] = await Promise.allSettled([
      acceptHeldPrices(ctx, { id }),
      finishPriceRefresh(ctx.db, claimed, { read: feedWith({ alb: 45_000, nlb: 22_500 }) }, at),
    ]);
    const [micros] = await counts("alb");
    const newer = await get(claimed.id);
    if (decided.status === "fulfilled") expect([micros, newer.waitingCount]).toEqual([45_000, 0]);
    else expect([micros, newer.waitingCount]).toEqual([22_500, 1]);
  });
});

describe("prices apply to all organisations", () => {
  it("so only members of the organisation that set Fairlead up see and decide their changes", async () => {
    const other = await createTestOrganization(database.db);
    const list = { sort: "requestedAt", direction: "desc", limit: 10 } as const;
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
