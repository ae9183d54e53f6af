import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import type { Page } from "@fairlead/domain";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ServiceContext } from "./context.ts";
import { createTestOrganization, type Noun, nouns } from "./testing/index.ts";

let database: TestDatabase;
let ctx: ServiceContext;
let otherOwner: ServiceContext;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createTestOrganization(database.db);
  otherOwner = await createTestOrganization(database.db);
});

const ids = (page: Page<{ id: string }>) => page.items.map((item) => item.id);
const asViewer = (of: ServiceContext): ServiceContext => ({
  ...of,
  actor: { kind: "user", id: "viewer", name: "Viewer", role: "viewer" },
});

async function makeMany(noun: Noun, of: ServiceContext, count: number) {
  const make = await noun.prepare(of);
  const made: string[] = [];
  for (let n = 1; n <= count; n++) made.push(await make(n));
  return { make, made };
}

/** Everything stored that a verb of this organisation could have changed. */
async function stored(of: ServiceContext) {
  const where = { organizationId: of.organizationId };
  const { db } = of;
  return {
    clusters: await db.cluster.findMany({ where, orderBy: { id: "asc" } }),
    pools: await db.addressPool.findMany({ where, orderBy: { id: "asc" } }),
    addresses: await db.virtualAddress.findMany({ where, orderBy: { id: "asc" } }),
    exposures: await db.exposure.findMany({ where, orderBy: { id: "asc" } }),
    loadBalancers: await db.loadBalancer.findMany({ where, orderBy: { id: "asc" }, include: { replicas: true } }),
    nodes: await db.node.findMany({ where, orderBy: { id: "asc" }, include: { agents: true } }),
    tokens: await db.enrollmentToken.findMany({ where, orderBy: { id: "asc" } }),
    members: await db.member.findMany({ where, orderBy: { id: "asc" } }),
    invitations: await db.invitation.findMany({ where, orderBy: { id: "asc" } }),
    keys: await db.apiKey.findMany({ where, orderBy: { id: "asc" } }),
    providers: await db.ssoProvider.findMany({ where, orderBy: { id: "asc" } }),
    negotiatedPrices: await db.negotiatedPrice.findMany({ where, orderBy: { id: "asc" } }),
    machines: await db.ownMachine.findMany({ where, orderBy: { id: "asc" } }),
    budgets: await db.budget.findMany({ where, orderBy: { id: "asc" } }),
    rates: await db.currencyRate.findMany({ where, orderBy: { id: "asc" } }),
    audit: await db.auditEntry.findMany({ where, orderBy: { id: "asc" } }),
    events: await db.event.findMany({ where, orderBy: { id: "asc" } }),
    feed: await db.feedEntry.findMany({ where, orderBy: { id: "asc" } }),
    tasks: await db.reconcileTask.findMany({ orderBy: [{ kind: "asc" }, { objectId: "asc" }] }),
  };
}

describe.each(Object.entries(nouns))("%s", (_name, noun) => {
  const changes = Object.entries(noun.change ?? {});

  it("of another organisation is neither seen nor touched", async () => {
    const { made } = await makeMany(noun, ctx, 2);
    const before = await stored(ctx);
    for (const sort of noun.list.sorts) {
      const seen = await noun.list.run(otherOwner, { sort, direction: "asc", limit: 50 });
      expect(seen).toEqual({ items: [], total: 0, nextCursor: null });
    }
    for (const id of made) {
      if (noun.get) await expect(noun.get(otherOwner, id)).rejects.toMatchObject({ code: "not-found" });
      for (const [, change] of changes)
        await expect(change(otherOwner, id)).rejects.toMatchObject({ code: "not-found" });
    }
    expect(await stored(ctx)).toEqual(before);
  });

  it.each(changes)("leaves one audit entry with before and after: %s", async (action, change) => {
    const { made } = await makeMany(noun, ctx, 1);
    const [id = ""] = made;
    await makeDeletable(ctx);
    await ctx.db.auditEntry.deleteMany({ where: { organizationId: ctx.organizationId } });
    await change(ctx, id);
    // Sessions that end with the change have entries of their own.
    const where = { organizationId: ctx.organizationId, action: { not: "session.end" } };
    const entries = await ctx.db.auditEntry.findMany({ where });
    expect(entries).toMatchObject([{ action, actorName: "Test", at: ctx.now }]);
    expect(entries[0]?.before).not.toBeNull();
    if (action.endsWith(".delete")) expect(entries[0]?.after).toBeNull();
    else expect(entries[0]?.after).not.toEqual(entries[0]?.before);
  });

  it.each(changes)("changes nothing and leaves no audit entry when it fails at the very end: %s", async (_, change) => {
    const { made } = await makeMany(noun, ctx, 1);
    const [id = ""] = made;
    await makeDeletable(ctx);
    await failAtCommit(ctx);
    const before = await stored(ctx);
    await expect(change(ctx, id)).rejects.toThrow("the test says no");
    expect(await stored(ctx)).toEqual(before);
  });

  const changeNothing = noun.changeNothing ? [noun.changeNothing] : [];
  it.each(changeNothing)(
    "stays unchanged, without an audit entry, when it is updated to its current values",
    async (change) => {
      const { made } = await makeMany(noun, ctx, 1);
      const before = await stored(ctx);
      await change(ctx, made[0] ?? "");
      expect(await stored(ctx)).toEqual(before);
    },
  );

  it.each(changes)("requires its permission: %s", async (_, change) => {
    const { made } = await makeMany(noun, ctx, 1);
    const before = await stored(ctx);
    await expect(change(asViewer(ctx), made[0] ?? "")).rejects.toMatchObject({ code: "forbidden" });
    expect(await stored(ctx)).toEqual(before);
  });

  it.each(noun.isGuarded ? changes.filter(([action]) => action !== "agent.revoke") : [])(
    "refuses a change that was based on an older state: %s",
    async (_, change) => {
      const { made } = await makeMany(noun, ctx, 1);
      const [id = ""] = made;
      await makeDeletable(ctx);
      const before = await stored(ctx);
      await expect(change(ctx, id, 7)).rejects.toMatchObject({ code: "precondition-failed" });
      expect(await stored(ctx)).toEqual(before);
      await change(ctx, id, 1);
      expect(await stored(ctx)).not.toEqual(before);
    },
  );

  describe("of which some are added meanwhile", () => {
    let shared: ServiceContext;
    let rows: Awaited<ReturnType<typeof makeMany>>;
    let added = 100;
    beforeAll(async () => {
      shared = await createTestOrganization(database.db);
      rows = await makeMany(noun, shared, 11);
    });

    it.each(
      noun.list.sorts.flatMap((sort) => [
        [sort, "asc"],
        [sort, "desc"],
      ]) as [string, "asc" | "desc"][],
    )("lists each row once by %s %s", async (sort, direction) => {
      const list = (of: object) => noun.list.run(shared, { sort, direction, limit: 200, ...of });
      const whole = await list({});
      expect(whole.total).toBe(whole.items.length);
      expect(new Set(ids(whole)).size).toBe(whole.items.length);
      for (const id of rows.made) expect(ids(whole)).toContain(id);
      expect(ids(await list({ direction: direction === "asc" ? "desc" : "asc" }))).toEqual(ids(whole).reverse());

      const byOffset: string[] = [];
      for (let offset = 0; offset < whole.total; offset += 4) byOffset.push(...ids(await list({ limit: 4, offset })));
      expect(byOffset).toEqual(ids(whole));

      const byCursor: string[] = [];
      let cursor: string | null = null;
      let pages = 0;
      do {
        const page: Page<{ id: string }> = await list({ limit: 3, ...(cursor && { cursor }) });
        byCursor.push(...ids(page));
        cursor = page.nextCursor;
        pages += 1;
        if (pages <= 2) await rows.make(added++);
      } while (cursor);
      expect(pages).toBeGreaterThan(3);
      expect(byCursor.filter((id) => ids(whole).includes(id))).toEqual(ids(whole));
      expect(new Set(byCursor).size).toBe(byCursor.length);
    });
  });

  it("is found by a part of its name, with wildcard characters taken literally", async () => {
    const { made } = await makeMany(noun, ctx, 3);
    const [sort = ""] = noun.list.sorts;
    const find = async (search: string) => noun.list.run(ctx, { sort, direction: "asc", limit: 50, search });
    expect(ids(await find(`${noun.letter}2`))).toEqual([made[1]]);
    expect(ids(await find(`${noun.letter}2`.toUpperCase()))).toEqual([made[1]]);
    expect((await find("%")).total).toBe(0);
    expect((await find("_")).total).toBe(0);
    expect((await find("\\")).total).toBe(0);
  });

  it("refuses a cursor that is not of this list and sort", async () => {
    await makeMany(noun, ctx, 3);
    const [sort = "", other] = noun.list.sorts;
    const { nextCursor } = await noun.list.run(ctx, { sort, direction: "asc", limit: 1 });
    const forged = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString("base64url");
    const bad = ["x", "e30", forged(sort, "a\u0000b", "c"), forged(sort, 1, 2), forged("nothing", "a", "b")];
    for (const cursor of bad)
      await expect(noun.list.run(ctx, { sort, direction: "asc", limit: 1, cursor })).rejects.toMatchObject({
        code: "invalid",
        fields: [{ path: ["cursor"] }],
      });
    if (other && nextCursor)
      await expect(
        noun.list.run(ctx, { sort: other, direction: "asc", limit: 1, cursor: nextCursor }),
      ).rejects.toMatchObject({ code: "invalid" });
  });
});

/** Makes agents silent, so that their node may be deleted. */
async function makeDeletable(of: ServiceContext): Promise<void> {
  await of.db.nodeStatus.updateMany({
    where: { agent: { organizationId: of.organizationId } },
    data: { lastReportAt: new Date(2026, 0, 1) },
  });
}

/** Makes every transaction that leaves an audit entry of this organisation fail at commit. */
async function failAtCommit(of: ServiceContext): Promise<void> {
  await of.db.$executeRawUnsafe(`CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'the test says no'; END $$`);
  await of.db.$executeRawUnsafe(`CREATE CONSTRAINT TRIGGER refuse_${of.organizationId} AFTER INSERT ON audit_entry
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.organization_id = '${of.organizationId}') EXECUTE FUNCTION refuse()`);
}
