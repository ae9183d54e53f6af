import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { revokeAgent } from "../agent/index.ts";
import type { ServiceContext } from "../context.ts";
import { deleteExposure, removeExposure } from "../exposure/index.ts";
import { createTestCluster, createTestExposure, createTestNode, createTestOrganization } from "../testing/index.ts";
import { createCluster, deleteCluster, getCluster, updateCluster } from "./index.ts";

let database: TestDatabase;
let ctx: ServiceContext;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createTestOrganization(database.db);
});

describe("a cluster", () => {
  it("counts what it holds", async () => {
    const { cluster } = await createTestExposure(ctx);
    await createTestNode(ctx, cluster.id, { name: "a" });
    await createTestNode(ctx, cluster.id, { name: "b", lastReportAt: new Date(2026, 0, 1) });
    expect(await getCluster(ctx, cluster.id)).toMatchObject({
      nodeCount: 2,
      silentNodeCount: 1,
      exposureCount: 1,
      loadBalancerCount: 1,
    });
  });

  it("has a unique name within its organisation, and only there", async () => {
    const spec = { name: "berlin", kind: "lab" as const, region: "", labels: {} };
    await createCluster(ctx, spec);
    const second = await createCluster(ctx, { ...spec, name: "paris" });
    const taken = { code: "conflict", fields: [{ path: ["name"] }] };
    await expect(createCluster(ctx, spec)).rejects.toMatchObject(taken);
    await expect(updateCluster(ctx, second.id, { name: "berlin" })).rejects.toMatchObject(taken);
    await createCluster(await createTestOrganization(database.db), spec);
  });

  it("can't be deleted while it exposes something", async () => {
    const { cluster, exposure } = await createTestExposure(ctx);
    await expect(deleteCluster(ctx, cluster.id)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("still has 1 exposure;"),
    });
    await deleteExposure(ctx, exposure.id);
    await expect(deleteCluster(ctx, cluster.id)).rejects.toMatchObject({ code: "conflict" });
    await removeExposure(database.db, exposure.id, ctx.now);
    await deleteCluster(ctx, cluster.id);
    await expect(getCluster(ctx, cluster.id)).rejects.toMatchObject({ code: "not-found" });
    expect(await database.db.addressPool.count({ where: { clusterId: cluster.id } })).toBe(0);
  });

  it("can't be deleted while one of its agents still reports", async () => {
    const { cluster } = await createTestCluster(ctx);
    const { agentId } = await createTestNode(ctx, cluster.id, { name: "edge-7" });
    await expect(deleteCluster(ctx, cluster.id)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("the one on edge-7"),
    });
    await revokeAgent(ctx, agentId);
    await deleteCluster(ctx, cluster.id);
    expect(await database.db.node.count({ where: { clusterId: cluster.id } })).toBe(0);
  });
});
