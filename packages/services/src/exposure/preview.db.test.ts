import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestCluster, createTestNode, createTestOrganization, testSpec } from "../testing/index.ts";
import { previewExposure } from "./preview.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it("a plan says how many agents are missing", async () => {
  const ctx = await createTestOrganization(database.db);
  const { cluster, pool } = await createTestCluster(ctx);
  const warnings = async () => (await previewExposure(ctx, testSpec(pool))).warnings;
  const cure = "but each replica needs its own. Add nodes with the role balancer.";
  await createTestNode(ctx, cluster.id, { name: "lb-0", roles: ["balancer"], lastReportAt: null });
  await createTestNode(ctx, cluster.id, { name: "tor-1", roles: ["router"] });
  expect(await warnings()).toEqual([`In ${cluster.name} no balancer agents report, ${cure}`]);
  await createTestNode(ctx, cluster.id, { name: "lb-1", roles: ["balancer"] });
  expect(await warnings()).toEqual([`In ${cluster.name} 1 balancer agent reports, ${cure}`]);
  await createTestNode(ctx, cluster.id, { name: "lb-2", roles: ["balancer"] });
  expect(await warnings()).toEqual([]);
});

it("a plan says that no agent would carry it by cost, until one reports", async () => {
  const ctx = await createTestOrganization(database.db);
  const { cluster, pool } = await createTestCluster(ctx);
  const spec = testSpec(pool, { strategy: { type: "adaptive", poolId: pool.id } });
  const warnings = async () => (await previewExposure(ctx, spec)).warnings;
  const scope = expect.stringContaining("clients outside the cluster don't reach it");
  await createTestNode(ctx, cluster.id, { name: "lb-1", roles: ["balancer"] });
  expect(await warnings()).toEqual([
    scope,
    expect.stringContaining(`No node of ${cluster.name} has an agent of the role adaptive. `),
  ]);
  await createTestNode(ctx, cluster.id, { name: "node-1", roles: ["adaptive"] });
  expect(await warnings()).toEqual([scope]);
});
