import type { Actor, Role } from "@fairlead/domain/access";
import { attentionKindNames, listAttention as listAttentionInput } from "@fairlead/domain/attention";
import type { BudgetScope, CreateBudget } from "@fairlead/domain/budget";
import { hourOf, type PricePoint, runsAs, startOfHour } from "@fairlead/domain/cost";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listAttention } from "../attention/index.ts";
import { createCluster, deleteCluster, updateCluster } from "../cluster/index.ts";
import type { ServiceContext } from "../context.ts";
import { importPrices } from "../cost/index.ts";
import { createCurrencyRate, createNegotiatedPrice } from "../price-book/index.ts";
import { createTestOrganization } from "../testing/index.ts";
import { listCosts } from "../usage/index.ts";
import { type MeterStage, setMeterStage } from "../usage/testing/meter-stage.ts";
import { calculateDueBudgets, storeState } from "./calculate-due.sql.ts";
import { mostBudgets } from "./check-budget.sql.ts";
import { createBudget, deleteBudget, getBudget, listBudgets, updateBudget } from "./index.ts";

const now = new Date("2026-11-21T12:30:00Z");
const hour = hourOf(now);
const dollar = 1_000_000;
let stage: MeterStage;
let ctx: ServiceContext;

/** One balancer with two machines, at a dollar an hour together. */
beforeAll(async () => {
  stage = await setMeterStage();
  ctx = { ...stage.ctx, now };
  const place = runsAs.parse({ provider: "aws", region: "eu-central-1", machine: "c7g.large", machineShare: 0.5 });
  await updateCluster(ctx, stage.clusterId, { runsAs: place });
  const { db } = stage.database;
  const point: PricePoint = {
    ...{
      provider: "aws",
      region: "eu-central-1",
      sku: "c7g.large",
      unit: "hour",
      fromUnits: 0,
      micros: dollar,
      per: 1,
    },
    ...{ currency: "USD", asOf: "2026-10-01", source: "https://example.com", confidence: "published" },
  };
  await importPrices(db, { name: "t", points: [point] }, startOfHour(hour - 1_000));
  const subject = await db.usageSubject.create({
    data: {
      ...{ organizationId: ctx.organizationId, clusterId: stage.clusterId, exposureId: stage.exposureId },
      ...{ loadBalancerId: stage.balancerId, facts: {} },
    },
  });
  // From the 20th at 0:00 on, including the current hour.
  const whole = { subjectId: subject.id, existsSeconds: 3_600, addressSeconds: 0, replicaSeconds: 7_200 };
  const hours = Array.from({ length: 37 }, (_, n) => ({
    ...whole,
    hour: hour - n,
    machineSeconds: 7_200,
    measuredSeconds: 7_200,
  }));
  await db.usageHour.createMany({ data: hours });
});
beforeEach(() => stage.database.db.budget.deleteMany());
afterAll(() => stage.database.drop());

const create = (fields: Partial<CreateBudget> = {}) =>
  createBudget(ctx, {
    ...{ name: "all", scope: { type: "organization" }, amountMicros: 1_000 * dollar, currency: "USD" },
    ...{ warnAtPercent: 80, ...fields },
  });

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

const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

async function attentionTo(at: Date): Promise<string[][]> {
  const kind = attentionKindNames.filter((each) => each.startsWith("budget-"));
  const { items } = await listAttention({ ...ctx, now: at }, listAttentionInput.parse({ kind }));
  return items.map((item) => [item.kind, item.message]);
}

describe("stored states", () => {
  const stored = (budgetId: string) => stage.database.db.budgetStatus.findUnique({ where: { budgetId } });

  it("are those of the API, and calculated again after ten minutes", async () => {
    const { db } = stage.database;
    const { id, status } = await create({ amountMicros: 36 * dollar });
    await create({ name: "within" });
    expect(await calculateDueBudgets(db, now)).toBe(2);
    expect(await stored(id)).toMatchObject({
      ...{ generation: 1, state: "over", stateSince: now, statedAt: now },
      ...{ spentMicros: BigInt(37 * dollar), forecastMicros: BigInt(status?.forecastMicros ?? 0) },
    });
    expect(await calculateDueBudgets(db, later(9))).toBe(0);
    expect(await calculateDueBudgets(db, later(10))).toBe(2);
    expect(await stored(id)).toMatchObject({ state: "over", stateSince: now, statedAt: later(10) });
  });

  it("are calculated again after a change, and begin when they change", async () => {
    const { db } = stage.database;
    const { id } = await create({ amountMicros: 36 * dollar });
    await calculateDueBudgets(db, now);
    await updateBudget(ctx, id, { amountMicros: 30 * dollar });
    expect(await calculateDueBudgets(db, later(1))).toBe(1);
    expect(await stored(id)).toMatchObject({ generation: 2, state: "over", stateSince: now });
    await updateBudget(ctx, id, { amountMicros: 45 * dollar });
    expect(await calculateDueBudgets(db, later(2))).toBe(1);
    expect(await stored(id)).toMatchObject({ generation: 3, state: "forecast-over", stateSince: later(2) });
    await deleteBudget(ctx, id);
    expect([await stored(id), await calculateDueBudgets(db, later(60))]).toEqual([null, 0]);
  });

  it("have the time since when the warning is reached", async () => {
    const { db } = stage.database;
    const { id } = await create({ amountMicros: 300 * dollar, warnAtPercent: 12 });
    await calculateDueBudgets(db, now);
    await calculateDueBudgets(db, later(10));
    expect(await stored(id)).toMatchObject({ state: "within", warnedSince: now, statedAt: later(10) });
    await updateBudget(ctx, id, { warnAtPercent: 80 });
    await calculateDueBudgets(db, later(11));
    expect(await stored(id)).toMatchObject({ state: "within", warnedSince: null });
  });

  it("have what is missing of an unknown cost", async () => {
    const { id } = await create({ currency: "EUR" });
    await calculateDueBudgets(stage.database.db, now);
    const reason = "Its prices are in USD, and there is no rate to EUR: add one.";
    expect(await stored(id)).toMatchObject({ state: "unknown", reason });
    expect(await attentionTo(later(2))).toEqual([["budget-unknown", `Its cost can't be calculated. ${reason}`]]);
    await updateBudget(ctx, id, { currency: "USD" });
    await calculateDueBudgets(stage.database.db, later(2));
    expect(await stored(id)).toMatchObject({ state: "within", reason: "" });
    expect(await attentionTo(later(4))).toEqual([]);
  });

  it("of an older version are not stored", async () => {
    const { db } = stage.database;
    const before = await create({ amountMicros: 36 * dollar });
    await updateBudget(ctx, before.id, { amountMicros: 900 * dollar });
    await storeState(db, before, now);
    expect(await stored(before.id)).toBeNull();
  });
});

describe("more load balancers than can be calculated at once", () => {
  const most = 20_000;
  const tooMuch =
    "Its cost can't be calculated. It has too many load balancers, or an exchange rate is too high: limit it to a cluster or a label, or correct the rate.";
  beforeAll(async () => {
    const { id } = await createCluster(ctx, { name: "large", kind: "lab", region: "", labels: {} });
    const { db } = stage.database;
    await db.$executeRaw`
      INSERT INTO usage_subject (organization_id, cluster_id, exposure_id, load_balancer_id, facts)
      SELECT ${ctx.organizationId}, ${id}, 'exp_' || i, 'lb_' || i, '{"labels": {}}' FROM generate_series(1, ${most}::int) i`;
    await db.$executeRaw`
      INSERT INTO usage_hour (subject_id, hour, exists_seconds, address_seconds, replica_seconds, machine_seconds, measured_seconds)
      SELECT id, ${hour}::int, 3600, 0, 0, 0, 0 FROM usage_subject WHERE cluster_id = ${id}`;
  });

  it("don't count for a budget that isn't for them", async () => {
    const small = await create({ name: "small", scope: { type: "cluster", clusterId: stage.clusterId } });
    await create({ name: "team", currency: "EUR", scope: { type: "label", key: "team", value: "shop" } });
    await create({ name: "whole" });
    const { items } = await listBudgets(ctx, { limit: 50, sort: "name", direction: "asc" });
    expect(items.map(({ name, status }) => [name, status?.state, status?.spentMicros])).toEqual([
      ["small", "within", 37 * dollar],
      ["team", "unknown", 0],
      ["whole", undefined, undefined],
    ]);
    expect((await getBudget(ctx, small.id)).status).toMatchObject({ state: "within", spentMicros: 37 * dollar });
  });

  it("need attention", async () => {
    await create({ name: "whole" });
    await create({ name: "small", scope: { type: "cluster", clusterId: stage.clusterId } });
    await calculateDueBudgets(stage.database.db, now);
    expect(await attentionTo(later(2))).toEqual([["budget-unknown", tooMuch]]);
  });
});
