import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { KubernetesError } from "@fairlead/drivers/kubernetes";
import type { ServiceContext } from "@fairlead/services";
import { createTestExposure, createTestOrganization } from "@fairlead/services/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Measurable, readAllMetrics } from "./resource-metrics.ts";

let database: TestDatabase;
let ctx: ServiceContext;
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = await createTestOrganization(database.db);
});
afterAll(() => database.drop());

const readAt = new Date("2026-12-01T04:00:09Z");
const reading = { cpuCores: 1.5, memoryBytes: 100, measuredAt: new Date("2026-12-01T04:00:00Z"), windowMs: 10_000 };
const node = {
  ...{ namespace: "", name: "node-1", uid: "u", labels: {}, ready: true, providerId: "" },
  ...{ internalAddresses: [], externalAddresses: [], allocatable: { cpuCores: 4, memoryBytes: 1_000 } },
};
const missing = new KubernetesError({ status: 404, reason: "NotFound", message: "no page", retryAfterMs: null });

/** An attached cluster with an exposure. Its metrics API is not a part of the tests of this file. */
async function attached(readMetrics: Measurable["readMetrics"], isWhole = true) {
  const { cluster, pool, exposure } = await createTestExposure(ctx);
  const data = { strategy: "adaptive", parameters: { poolId: pool.id } };
  await ctx.db.exposure.update({ where: { id: exposure.id }, data });
  await ctx.db.kubernetesAccess.create({ data: { clusterId: cluster.id, settings: {}, sealed: "x" } });
  const nodes = { items: new Map([["/node-1", node]]) };
  const found: Measurable = {
    ...{ readMetrics, detailOf: () => "", explain: () => new Error("the API can't be reached") },
    view: { nodes, isWhole: () => isWhole, podsOf: () => [] },
  };
  return { exposureId: exposure.id, clusterId: cluster.id, found };
}

it("stores figures, or why there are none, of each cluster by itself", async () => {
  const metrics = { nodes: new Map([["node-1", reading]]), pods: new Map() };
  let reads = 0;
  const good = await attached(async () => {
    reads += 1;
    return metrics;
  });
  const bad = await attached(() => Promise.reject(missing));
  const unseen = await attached(() => Promise.reject(new Error("not expected")), false);
  const clusters = new Map([good, bad, unseen].map((each) => [each.clusterId, each.found]));
  const read = (now: Date) =>
    readAllMetrics({
      ...{ db: ctx.db, find: (id: string) => clusters.get(id) ?? null, now: () => now },
      stopping: new AbortController().signal,
    });
  await read(readAt);
  const of = (exposureId: string) => ctx.db.resourceMetrics.findUnique({ where: { exposureId } });
  expect(await of(good.exposureId)).toMatchObject({
    ...{ problem: "", readAt },
    nodes: [{ nodeName: "node-1", node: { cpuCores: 1.5, cpuCapacityCores: 4 }, instanceCount: 0, instances: null }],
  });
  expect(await of(bad.exposureId)).toMatchObject({
    ...{ problem: expect.stringContaining("metrics-server is not installed"), readAt, nodes: [] },
  });
  expect(await of(unseen.exposureId)).toBeNull();
  // Another controller finds current figures.
  await read(new Date(readAt.getTime() + 7_000));
  expect(reads).toBe(1);
  await read(new Date(readAt.getTime() + 9_000));
  expect(reads).toBe(2);
});

it("stores nothing of a controller that stops", async () => {
  const stopping = new AbortController();
  const { exposureId, clusterId, found } = await attached(async () => {
    stopping.abort();
    throw stopping.signal.reason;
  });
  const find = (id: string) => (id === clusterId ? found : null);
  await readAllMetrics({ db: ctx.db, find, stopping: stopping.signal, now: () => readAt });
  expect(await ctx.db.resourceMetrics.findUnique({ where: { exposureId } })).toBeNull();
});
