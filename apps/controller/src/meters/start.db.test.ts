import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { createBudget } from "@fairlead/services";
import { createTestOrganization } from "@fairlead/services/testing";
import { silentLog } from "@fairlead/telemetry";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startMeters } from "./index.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it("calculates the states of budgets", async () => {
  const { db } = database;
  const spec = { name: "all", scope: { type: "organization" as const }, amountMicros: 1, currency: "USD" };
  const { id } = await createBudget(await createTestOrganization(db), { ...spec, warnAtPercent: 80 });
  const meters = await startMeters({ db, log: silentLog, budgetsEveryMs: 5 });
  try {
    const state = () => db.budgetStatus.findUnique({ where: { budgetId: id } }).then((stored) => stored?.state);
    await expect.poll(state, { timeout: 30_000 }).toBe("within");
  } finally {
    await meters.stop();
  }
});
