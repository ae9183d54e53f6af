import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import type { MeasuredResources, NodeResources } from "@fairlead/domain/exposure";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ServiceContext } from "../context.ts";
import { deleteExposure, getExposure } from "../exposure/index.ts";
import { createTestExposure, createTestNode, createTestOrganization } from "../testing/index.ts";
import { findMetrics, recordMetrics, recordMetricsProblem, selectMeasured } from "./resource-metrics.sql.ts";

let database: TestDatabase;
let ctx: ServiceContext;
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = await createTestOrganization(database.db);
});
afterAll(() => database.drop());

const later = (seconds: number) => new Date(ctx.now.getTime() + seconds * 1_000);
const measured = (cpuCores: number): MeasuredResources => ({
  ...{ cpuCores, cpuCapacityCores: 1, memoryBytes: 2 ** 20, memoryCapacityBytes: 2 ** 30 },
  ...{ measuredAt: ctx.now, windowMs: 10_062.5 },
});
const on = (nodeName: string, cpuCores: number): NodeResources => ({
  ...{ nodeName, node: measured(1.5), instanceCount: 1, instances: measured(cpuCores) },
});

/** An exposure with the strategy adaptive, in a cluster whose API is attached or not. */
async function adaptiveExposure({ isAttached }: { isAttached: boolean }) {
  const { cluster, pool, exposure } = await createTestExposure(ctx);
  await ctx.db.exposure.update({
    where: { id: exposure.id },
    data: { strategy: "adaptive", parameters: { poolId: pool.id } },
  });
  if (isAttached) await ctx.db.kubernetesAccess.create({ data: { clusterId: cluster.id, settings: {}, sealed: "x" } });
  for (const name of ["node-1", "node-2"]) await createTestNode(ctx, cluster.id, { name, roles: ["adaptive"] });
  return { id: exposure.id, clusterId: cluster.id };
}

const due = async (before: Date) => (await selectMeasured(ctx.db, before)).map((each) => each.id);

it("shows the last figures of metrics-server, and what RAP would do", async () => {
  const { id } = await adaptiveExposure({ isAttached: true });
  const baseline = async () => (await getExposure(ctx, id)).adaptive?.rap;
  expect(await baseline()).toMatchObject({ readAt: null, problem: expect.stringContaining("not read yet") });
  await recordMetrics(ctx.db, id, [on("node-1", 0.95), on("node-2", 0.2)], ctx.now);
  expect(await findMetrics(ctx.db, id)).toEqual({
    ...{ problem: "", readAt: ctx.now, nodes: [on("node-1", 0.95), on("node-2", 0.2)] },
  });
  const { nodes = [], ...others } = (await baseline()) ?? {};
  expect(others).toEqual({ problem: "", readAt: ctx.now, thresholdPercent: 90 });
  expect(nodes.map((each) => [each.nodeName, each.instances?.cpuCores, each.sendsToNodeName])).toEqual([
    ["node-1", 0.95, "node-2"],
    ["node-2", 0.2, "node-2"],
  ]);
});

it("keeps the last figures when reading fails, and stores why", async () => {
  const { id } = await adaptiveExposure({ isAttached: true });
  await recordMetrics(ctx.db, id, [on("node-1", 0.5)], ctx.now);
  await recordMetricsProblem(ctx.db, [id], "metrics-server does not answer.", later(10));
  expect(await findMetrics(ctx.db, id)).toEqual({
    ...{ problem: "metrics-server does not answer.", readAt: later(10), nodes: [on("node-1", 0.5)] },
  });
  await recordMetrics(ctx.db, id, [], later(20));
  expect(await findMetrics(ctx.db, id)).toEqual({ problem: "", readAt: later(20), nodes: [] });
});

it("is read for attached clusters only, and not again while it is current", async () => {
  const attached = await adaptiveExposure({ isAttached: true });
  const lab = await adaptiveExposure({ isAttached: false });
  expect(await due(ctx.now)).toContain(attached.id);
  expect(await due(ctx.now)).not.toContain(lab.id);
  expect((await getExposure(ctx, lab.id)).adaptive?.rap).toBeNull();
  await recordMetrics(ctx.db, attached.id, [], ctx.now);
  expect(await due(ctx.now)).not.toContain(attached.id);
  expect(await due(later(1))).toContain(attached.id);
  await deleteExposure(ctx, attached.id);
  expect(await due(later(1))).not.toContain(attached.id);
});
