import type { Actor, Role } from "@fairlead/domain/access";
import type { BudgetScope } from "@fairlead/domain/budget";
import { startOfHour } from "@fairlead/domain/cost";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createCluster, deleteCluster } from "../cluster/index.ts";
import type { ServiceContext } from "../context.ts";
import { createCurrencyRate, createNegotiatedPrice } from "../price-book/index.ts";
import { createTestOrganization } from "../testing/index.ts";
import { listCosts } from "../usage/index.ts";
import { calculateDueBudgets } from "./calculate-due.sql.ts";
import { mostBudgets } from "./check-budget.sql.ts";
import { createBudget, deleteBudget, getBudget, listBudgets, updateBudget } from "./index.ts";
import { type BudgetStage, dollar, hour, now, setBudgetStage } from "./testing/budget-stage.ts";

let stage: BudgetStage;
let ctx: ServiceContext;
let create: BudgetStage["create"];

beforeAll(async () => {
  stage = await setBudgetStage();
  ({ ctx, create } = stage);
});
beforeEach(() => stage.database.db.budget.deleteMany());
afterAll(() => stage.database.drop());

describe("the status of a budget", () => {
  it("is what the month has cost so far, as listed, and the forecast", async () => {
    const { status } = await create();
    const month = { from: new Date("2026-11-01T00:00:00Z"), to: startOfHour(hour + 1) };
    const query = { step: "all", groupBy: "organization", limit: 1, currency: "USD", ...month } as const;
    const { micros } = await listCosts(ctx, query);
    expect(micros).toBe(37 * dollar);
    // 35 complete hours, and the 9 days and 13 hours from 11:00 on.
    const forecastMicros = (35 + 9 * 24 + 13) * dollar;
    expect(status).toEqual({
      ...{ state: "within", hasReachedWarning: false, spentMicros: micros, knownShare: 1, forecastMicros },
      ...{ reasons: [], hasPriceBook: true },
    });
  });

  it.each([
    [36 * dollar, 80, "over", true],
    [45 * dollar, 80, "forecast-over", true],
    [200 * dollar, 80, "forecast-over", false],
    [300 * dollar, 80, "within", false],
    [300 * dollar, 12, "within", true],
  ])(
    "with an amount of %d and a warning at %d % is %s",
    async (amountMicros, warnAtPercent, state, hasReachedWarning) => {
      const { id } = await create({ amountMicros, warnAtPercent });
      expect((await getBudget(ctx, id)).status).toMatchObject({ state, hasReachedWarning });
    },
  );

  it("is that of its scope only", async () => {
    const scopes: [BudgetScope, number][] = [
      [{ type: "organization" }, 37],
      [{ type: "cluster", clusterId: stage.clusterId }, 37],
      [{ type: "label", key: "team", value: "shop" }, 37],
      [{ type: "label", key: "team", value: "other" }, 0],
      [{ type: "label", key: "constructor", value: "shop" }, 0],
    ];
    for (const [at, [scope]] of scopes.entries()) await create({ name: `b${at}`, scope });
    const { items } = await listBudgets(ctx, { limit: 50, sort: "name", direction: "asc" });
    expect(items.map(({ status }) => (status?.spentMicros ?? 0) / dollar)).toEqual(scopes.map(([, spent]) => spent));
    expect(items.map(({ status }) => status?.forecastMicros === null)).toEqual([false, false, false, true, true]);
  });

  it("has no forecast with usage of less than a day", async () => {
    const early = { ...ctx, now: new Date("2026-11-20T20:30:00Z") };
    const { id } = await create({ amountMicros: 5 * dollar });
    expect((await getBudget(early, id)).status).toMatchObject({ state: "over", forecastMicros: null });
  });

  it("starts again with each calendar month", async () => {
    const { id } = await create();
    const december = { ...ctx, now: new Date("2026-12-01T05:30:00Z") };
    expect((await getBudget(december, id)).status).toMatchObject({ spentMicros: 0, forecastMicros: 0 });
  });

  it("is unknown in a currency without a rate, and not zero", async () => {
    const { status } = await create({ currency: "EUR" });
    const reasons = ["Its prices are in USD, and there is no rate to EUR: add one."];
    expect(status).toMatchObject({ state: "unknown", spentMicros: 0, knownShare: 0, reasons });
  });

  it("is missing if an exchange rate makes it too large to be exact", async () => {
    const rate = { from: "USD", to: "YEN", rate: 1e9, asOf: "2026-01-01", source: "" };
    const { id } = await createCurrencyRate(ctx, rate);
    expect((await create({ currency: "YEN" })).status).toBeNull();
    expect(await calculateDueBudgets(stage.database.db, now)).toBe(1);
    await stage.database.db.currencyRate.delete({ where: { id } });
  });

  it("uses list prices for keys that may not read the price book", async () => {
    const thing = { provider: "aws", region: "any", sku: "c7g.large", note: "", validFrom: "2020-01-01" } as const;
    const { id: priceId } = await createNegotiatedPrice(ctx, { ...thing, price: { kind: "discount", percent: 50 } });
    const { id } = await create();
    const key: Actor = { kind: "api-key", id: "key_1", name: "ci", role: "owner", scopes: ["budget:read"] };
    const seen = await getBudget({ ...ctx, actor: key }, id);
    expect(seen.status).toMatchObject({ spentMicros: 37 * dollar, hasPriceBook: false });
    expect((await getBudget(ctx, id)).status).toMatchObject({ spentMicros: 18.5 * dollar, hasPriceBook: true });
    await stage.database.db.negotiatedPrice.delete({ where: { id: priceId } });
  });
});

describe("budgets", () => {
  it("have one name each", async () => {
    await create();
    await expect(create()).rejects.toMatchObject({ code: "conflict", fields: [{ path: ["name"] }] });
    const { id } = await create({ name: "other" });
    await expect(updateBudget(ctx, id, { name: "all" })).rejects.toMatchObject({ code: "conflict" });
  });

  it("are only for clusters of the organisation", async () => {
    const other = { ...(await createTestOrganization(stage.database.db)), now };
    const scope = { type: "cluster", clusterId: stage.clusterId } as const;
    const spec = { name: "x", scope, amountMicros: 1, currency: "USD", warnAtPercent: 80 };
    await expect(createBudget(other, spec)).rejects.toMatchObject({ code: "not-found" });
    const { id } = await createBudget(other, { ...spec, scope: { type: "organization" } });
    await expect(updateBudget(other, id, { scope })).rejects.toMatchObject({ code: "not-found" });
    expect((await getBudget(other, id)).status).toMatchObject({ spentMicros: 0 });
  });

  it("are limited in number", async () => {
    for (let n = 0; n < mostBudgets; n++) await create({ name: `b${n}` });
    await expect(create({ name: "one more" })).rejects.toMatchObject({ code: "exhausted" });
  });

  it("are limited in number also if they are created at once", async () => {
    for (let n = 1; n < mostBudgets; n++) await create({ name: `b${n}` });
    const both = await Promise.allSettled([create({ name: "one" }), create({ name: "two" })]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  it.each<[Role, boolean, boolean]>([
    ["viewer", false, false],
    ["operator", true, false],
    ["owner", true, true],
  ])("of a %s: may read %s, may change %s", async (role, mayRead, mayWrite) => {
    const { id } = await create();
    const member = { ...ctx, actor: { kind: "user", id: "usr_m", name: "M", role } as const };
    const outcome = (work: Promise<unknown>) => work.then(() => true).catch(({ code }) => code !== "forbidden");
    const page = { limit: 1, sort: "name", direction: "asc" } as const;
    expect([await outcome(listBudgets(member, page)), await outcome(getBudget(member, id))]).toEqual([
      mayRead,
      mayRead,
    ]);
    expect(await outcome(updateBudget(member, id, { amountMicros: 2 }))).toBe(mayWrite);
    expect(await outcome(deleteBudget(member, id))).toBe(mayWrite);
  });

  it("stay when their cluster is deleted, and can be changed", async () => {
    const cluster = await createCluster(ctx, { name: "short-lived", kind: "lab", region: "", labels: {} });
    const { id } = await create({ scope: { type: "cluster", clusterId: cluster.id } });
    expect((await getBudget(ctx, id)).clusterName).toBe("short-lived");
    await deleteCluster(ctx, cluster.id);
    const changed = await updateBudget(ctx, id, { amountMicros: 5 * dollar });
    expect(changed).toMatchObject({ clusterName: null, amountMicros: 5 * dollar, generation: 2 });
  });
});
