import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { overview as overviewSchema } from "@fairlead/domain/overview";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createExposure, recordObservedExposure } from "../exposure/index.ts";
import { createTestCluster, createTestNode, createTestOrganization, testSpec } from "../testing/index.ts";
import { getOverview } from "./index.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it("is empty for a new organisation", async () => {
  const ctx = await createTestOrganization(database.db, "viewer");
  const overview = await getOverview(ctx);
  expect(overviewSchema.parse(overview)).toEqual(overview);
  expect(overview).toMatchObject({
    at: ctx.now,
    clusterCount: 0,
    nodes: { total: 0, byState: { silent: 0 } },
    exposures: { total: 0, byPhase: { serving: 0 } },
    tasks: { due: 0, oldestDueMs: 0, resting: 0 },
    recentEvents: [],
  });
});

it("counts everything of its organisation", async () => {
  const ctx = await createTestOrganization(database.db);
  const { pool, cluster } = await createTestCluster(ctx, "192.0.2.0/30");
  const { pool: roomy } = await createTestCluster(ctx, "198.51.100.0/24");
  const failed = await createExposure(ctx, testSpec(pool, { name: "failed" }));
  const resting = await createExposure(ctx, testSpec(pool, { name: "resting" }));
  await recordObservedExposure(
    database.db,
    failed.id,
    {
      generation: 1,
      phase: "failed",
      message: "The router refuses it.",
      conditions: [],
      applied: true,
      loadBalancers: [],
    },
    ctx.now,
  );
  const degraded = await createExposure(ctx, testSpec(roomy, { name: "degraded" }));
  await recordObservedExposure(
    database.db,
    degraded.id,
    {
      generation: 1,
      phase: "degraded",
      message: "1 of 2 replicas serves.",
      conditions: [],
      applied: true,
      loadBalancers: [],
    },
    ctx.now,
  );
  const setTask = (objectId: string, data: object) =>
    database.db.reconcileTask.update({ where: { kind_objectId: { kind: "exposure", objectId } }, data });
  await setTask(resting.id, { resting: true, lastError: "its workload has two ports named web" });
  await setTask(failed.id, { dueAt: new Date(Date.now() - 60_000) });
  const hourAgo = new Date(ctx.now.getTime() - 3_600_000);
  await createTestNode(ctx, cluster.id, { name: "quiet", lastReportAt: hourAgo });
  await createTestNode(ctx, cluster.id, { name: "stubborn", configError: "no such role" });
  await createTestNode(ctx, cluster.id, { name: "fine" });

  const overview = await getOverview(ctx);
  expect(overviewSchema.parse(overview)).toEqual(overview);
  expect(overview).toMatchObject({
    clusterCount: 2,
    nodes: { total: 3, byState: { silent: 1, "in-sync": 1, "out-of-sync": 1 } },
    exposures: { total: 3, byPhase: { failed: 1, degraded: 1, pending: 1 } },
    loadBalancers: { total: 3, byPhase: { pending: 3 } },
    tasks: { due: 2, resting: 1 },
  });
  expect(overview.tasks.oldestDueMs).toBeGreaterThanOrEqual(60_000);

  const other = await getOverview(await createTestOrganization(database.db));
  expect(other).toMatchObject({ clusterCount: 0, tasks: { due: 0, resting: 0 }, recentEvents: [] });
});
