import { inTransaction } from "@fairlead/db";
import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { listExposures as listExposuresInput } from "@fairlead/domain/exposure";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createAddressPool } from "../address-pool/index.ts";
import { updateCluster } from "../cluster/index.ts";
import type { ServiceContext } from "../context.ts";
import { selectExposing } from "../instance/select-exposing.sql.ts";
import { markSeen } from "../kubernetes/index.ts";
import { getLoadBalancer } from "../load-balancer/index.ts";
import { updateNode } from "../node/index.ts";
import { createTestExposure, createTestNode, createTestOrganization, testSpec } from "../testing/index.ts";
import {
  createExposure,
  deleteExposure,
  getExposure,
  listExposures,
  loadDesiredExposure,
  pauseExposure,
  recordObservedExposure,
  resumeExposure,
  updateExposure,
} from "./index.ts";

let database: TestDatabase;
let ctx: ServiceContext;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createTestOrganization(database.db);
});

const later = (seconds: number) => ({ ...ctx, now: new Date(ctx.now.getTime() + seconds * 1_000) });
const rowsOf = (exposureId: string) =>
  ctx.db.loadBalancer.findMany({
    where: { exposureId },
    select: { name: true, address: { select: { address: true } }, replicas: { select: { id: true } } },
  });

it("records who paused and resumed it, each once", async () => {
  const { exposure } = await createTestExposure(ctx);
  const paused = await pauseExposure(later(1), exposure.id);
  expect(paused).toMatchObject({ pausedAt: later(1).now, generation: 1 });
  expect(await pauseExposure(later(2), exposure.id)).toEqual(paused);
  expect(await resumeExposure(later(3), exposure.id)).toMatchObject({ pausedAt: null, generation: 1 });
  await resumeExposure(later(4), exposure.id);
  const events = await ctx.db.event.findMany({ where: { subjectId: exposure.id }, orderBy: { at: "asc" } });
  expect(events.map(({ reason, severity, message }) => [reason, severity, message])).toEqual([
    ["Paused", "info", "Test paused shop: nothing is changed or repaired until it is resumed."],
    ["Resumed", "info", "Test resumed shop: its newest spec is applied."],
  ]);
  const where = { subjectId: exposure.id, action: { not: "exposure.create" } };
  const audit = await ctx.db.auditEntry.findMany({ where, orderBy: { at: "asc" } });
  const pausedAt = later(1).now.toISOString();
  expect(audit.map(({ action, actorName, before, after }) => ({ action, actorName, before, after }))).toEqual([
    { action: "exposure.pause", actorName: "Test", before: { pausedAt: null }, after: { pausedAt } },
    { action: "exposure.resume", actorName: "Test", before: { pausedAt }, after: { pausedAt: null } },
  ]);
});

it("is resumed only with the spec that the user saw", async () => {
  const { exposure } = await createTestExposure(ctx);
  await pauseExposure(ctx, exposure.id);
  await updateExposure(ctx, exposure.id, { labels: { team: "checkout" } });
  await expect(resumeExposure(ctx, exposure.id, 1)).rejects.toMatchObject({ code: "precondition-failed" });
  expect(await getExposure(ctx, exposure.id)).toMatchObject({ pausedAt: ctx.now, generation: 2 });
  expect(await resumeExposure(ctx, exposure.id, 2)).toMatchObject({ pausedAt: null });
});

it("has the condition Paused, which is true once it was observed since", async () => {
  const { exposure } = await createTestExposure(ctx);
  await pauseExposure(later(1), exposure.id);
  const conditions = async () => (await getExposure(ctx, exposure.id)).conditions;
  expect(await conditions()).toMatchObject([{ type: "Paused", status: "unknown", changedAt: later(1).now }]);
  const observed = { generation: 1, phase: "serving" as const, message: "", conditions: [], applied: true };
  await recordObservedExposure(ctx.db, exposure.id, { ...observed, loadBalancers: [] }, later(2).now);
  expect(await conditions()).toMatchObject([{ type: "Paused", status: "true", reason: "Paused" }]);
  await resumeExposure(later(3), exposure.id);
  expect(await conditions()).toEqual([]);
});

it("stores edits of the spec, and applies them when it is resumed", async () => {
  const { exposure, pool } = await createTestExposure(ctx);
  const rows = await rowsOf(exposure.id);
  await pauseExposure(ctx, exposure.id);
  const strategy = { type: "ecmp" as const, replicas: 3, poolId: pool.id };
  const edited = await updateExposure(ctx, exposure.id, {
    ...{ name: "store", ports: [{ port: 8080, protocol: "tcp" }], strategy },
    healthCheck: { type: "none" },
  });
  expect(edited).toMatchObject({ name: "store", ports: [{ port: 8080 }], strategy, generation: 2 });
  const { name, workload, ports, healthCheck } = exposure;
  const before = { name, workload, ports, strategy: exposure.strategy, healthCheck };
  expect(edited.specInEffect).toEqual({ ...before, placements: [] });
  expect(await rowsOf(exposure.id)).toEqual(rows);
  const inEffect = await loadDesiredExposure(ctx.db, exposure.id);
  expect(inEffect).toMatchObject({ ...before, generation: 2 });
  expect(await resumeExposure(ctx, exposure.id)).toMatchObject({ specInEffect: null });
  expect(await loadDesiredExposure(ctx.db, exposure.id)).toMatchObject({
    ...{ name: "store", ports: [{ port: 8080 }], strategy, healthCheck: { type: "none" } },
  });
  expect((await rowsOf(exposure.id)).map((each) => each.replicas.length)).toEqual([3]);
});

it("stays paused if its newest spec needs an address that its pool lacks", async () => {
  const { exposure } = await createTestExposure(ctx);
  const single = { clusterId: exposure.clusterId, name: "single", prefix: "198.51.100.0/32", note: "" };
  const pool = await createAddressPool(ctx, single);
  await createExposure(ctx, testSpec(pool, { name: "other" }));
  await pauseExposure(ctx, exposure.id);
  await updateExposure(ctx, exposure.id, { strategy: { type: "ecmp", replicas: 2, poolId: pool.id } });
  await expect(resumeExposure(ctx, exposure.id)).rejects.toMatchObject({ code: "exhausted" });
  expect(await getExposure(ctx, exposure.id)).toMatchObject({ pausedAt: ctx.now });
});

it("can't be deleted until it is resumed, and can't be paused while it is being deleted", async () => {
  const { exposure } = await createTestExposure(ctx);
  await pauseExposure(ctx, exposure.id);
  await expect(deleteExposure(ctx, exposure.id)).rejects.toMatchObject({
    code: "conflict",
    message: "The exposure shop is paused, so it can't be deleted. Resume it, then delete it.",
  });
  await resumeExposure(ctx, exposure.id);
  await deleteExposure(ctx, exposure.id);
  await expect(pauseExposure(ctx, exposure.id)).rejects.toMatchObject({ code: "conflict" });
});

it("is found by a filter", async () => {
  const { exposure, pool } = await createTestExposure(ctx);
  await createExposure(ctx, testSpec(pool, { name: "other" }));
  await pauseExposure(ctx, exposure.id);
  const names = async (isPaused: boolean) =>
    (await listExposures(ctx, listExposuresInput.parse({ isPaused }))).items.map(({ name }) => name);
  expect(await names(true)).toEqual(["shop"]);
  expect(await names(false)).toEqual(["other"]);
});

it("is named when a node with one of its replicas is drained", async () => {
  const { exposure } = await createTestExposure(ctx);
  const { nodeId } = await createTestNode(ctx, exposure.clusterId, { name: "node-1" });
  await ctx.db.replica.updateMany({ where: { loadBalancer: { exposureId: exposure.id } }, data: { nodeId } });
  await pauseExposure(ctx, exposure.id);
  await updateNode(ctx, nodeId, { draining: true });
  expect(await ctx.db.event.findMany({ where: { subjectId: nodeId } })).toMatchObject([
    { severity: "warning", message: expect.stringContaining("Replicas and cloud addresses of shop stay on this node") },
  ]);
});

it("is read as it was by everything that shows or uses what is in effect", async () => {
  const { exposure, pool } = await createTestExposure(ctx);
  const [balancer] = await ctx.db.loadBalancer.findMany({ where: { exposureId: exposure.id } });
  const read = async () => {
    const pod = { name: "default/shop-1", workload: "deployment default/shop", labels: {} };
    const [facts] = await ctx.db.$queryRaw<{ facts: { ports: object; strategy: object } }[]>`
      SELECT facts FROM usage_fact_view WHERE exposure_id = ${exposure.id}`;
    const { ports, strategy } = await getLoadBalancer(ctx, balancer?.id ?? "");
    return {
      exposing: await selectExposing(ctx.db, exposure.clusterId, [pod]),
      ...{ ports, strategy, billed: { ports: facts?.facts.ports, strategy: facts?.facts.strategy } },
      desired: await loadDesiredExposure(ctx.db, exposure.id).then((each) => each && { ...each, generation: 0 }),
    };
  };
  const before = await read();
  expect(before).toMatchObject({ exposing: [exposure.id], ports: [{ port: 443 }] });
  await pauseExposure(ctx, exposure.id);
  await updateExposure(ctx, exposure.id, {
    ...{
      workload: { kind: "deployment", namespace: "other", name: "store" },
      ports: [{ port: 8080, protocol: "tcp" }],
    },
    ...{ strategy: { type: "ecmp", replicas: 3, engine: "nftables", poolId: pool.id }, healthCheck: { type: "none" } },
  });
  expect(await read()).toEqual(before);
  await resumeExposure(ctx, exposure.id);
  expect(await read()).toMatchObject({
    ...{ exposing: [], ports: [{ port: 8080 }] },
    billed: { ports: [{ port: 8080 }], strategy: { replicas: 3, engine: "nftables" } },
  });
});

it("is looked at when the workload in effect changes", async () => {
  const { exposure } = await createTestExposure(ctx, { strategy: { type: "cloud", provider: "aws" } });
  const isMarkedBy = async (name: string) => {
    await ctx.db.reconcileTask.deleteMany();
    const seen = [{ namespace: "default", kind: "deployment", name, labels: {} }];
    await inTransaction(ctx.db, (tx) => markSeen(tx, exposure.clusterId, seen));
    return (await ctx.db.reconcileTask.count({ where: { objectId: exposure.id } })) > 0;
  };
  await pauseExposure(ctx, exposure.id);
  await updateExposure(ctx, exposure.id, { workload: { kind: "deployment", namespace: "default", name: "store" } });
  expect([await isMarkedBy("shop"), await isMarkedBy("store")]).toEqual([true, false]);
  await resumeExposure(ctx, exposure.id);
  expect([await isMarkedBy("shop"), await isMarkedBy("store")]).toEqual([false, true]);
});

const cloudRoute = {
  ...{ provider: "aws" as const, region: "eu-central-1", endpoint: null, vpcId: "", method: "route" as const },
  routeTables: ["rtb-0123456789abcdef0"],
};
const credentials = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "only-for-tests" };

it("prevents another cloud route of its cluster, but no other change of the cluster", async () => {
  const { exposure } = await createTestExposure(ctx);
  await updateCluster(ctx, exposure.clusterId, { cloudRoute: { ...cloudRoute, credentials } });
  await pauseExposure(ctx, exposure.id);
  await updateCluster(ctx, exposure.clusterId, { region: "elsewhere" });
  const isRefused = { code: "conflict", message: expect.stringContaining("shop is paused") };
  const change = { cloudRoute: { ...cloudRoute, region: "eu-west-1", credentials } };
  await expect(updateCluster(ctx, exposure.clusterId, change)).rejects.toMatchObject(isRefused);
  await expect(updateCluster(ctx, exposure.clusterId, { cloudRoute: null })).rejects.toMatchObject(isRefused);
});
