import { attentionKindNames, listAttention as listAttentionInput } from "@fairlead/domain/attention";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listAttention } from "../attention/index.ts";
import { createCluster } from "../cluster/index.ts";
import type { ServiceContext } from "../context.ts";
import { calculateDueBudgets, storeState } from "./calculate-due.sql.ts";
import { deleteBudget, getBudget, listBudgets, updateBudget } from "./index.ts";
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
