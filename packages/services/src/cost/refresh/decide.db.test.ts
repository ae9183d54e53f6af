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
import { clearPrices, dayMs, later, now, type Stage, says, stageOf } from "./testing/stage.ts";

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
