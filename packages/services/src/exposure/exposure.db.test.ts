import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import type { AddressPool } from "@fairlead/domain/address-pool";
import { type Exposure, sessionDefaults } from "@fairlead/domain/exposure";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAddressPool } from "../address-pool/index.ts";
import type { ServiceContext } from "../context.ts";
import { listLoadBalancers } from "../load-balancer/index.ts";
import {
  createTestCluster,
  createTestExposure,
  createTestNode,
  createTestOrganization,
  testSpec,
} from "../testing/index.ts";
import {
  createExposure,
  deleteExposure,
  getExposure,
  listExposures,
  previewExposure,
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

const byName = { sort: "name", direction: "asc", limit: 50 } as const;
const balancers = async (exposure: Exposure) =>
  (await listLoadBalancers(ctx, { ...byName, exposureId: exposure.id })).items;
const task = (exposure: Exposure) =>
  database.db.reconcileTask.findUnique({ where: { kind_objectId: { kind: "exposure", objectId: exposure.id } } });

describe("a plan", () => {
  it("equals what creation then creates", async () => {
    const { cluster, pool } = await createTestCluster(ctx);
    for (const name of ["lb-1", "lb-2"]) await createTestNode(ctx, cluster.id, { name, roles: ["balancer"] });
    const plan = await previewExposure(ctx, testSpec(pool));
    expect(plan.warnings).toEqual([]);
    const exposure = await createExposure(ctx, testSpec(pool));
    const made = await balancers(exposure);
    expect(
      made.map(({ name, kind, replicasDesired, address }) => ({ name, kind, replicas: replicasDesired, address })),
    ).toEqual(plan.loadBalancers.map(({ poolId: _, ...rest }) => rest));
    expect(made).toMatchObject([{ phase: "pending", replicasReady: 0, strategy: "ecmp", exposureName: "shop" }]);
  });

  it("allocates nothing", async () => {
    const { pool } = await createTestCluster(ctx);
    await previewExposure(ctx, testSpec(pool));
    await previewExposure(ctx, testSpec(pool));
    expect(await database.db.virtualAddress.count({ where: { poolId: pool.id } })).toBe(0);
    expect((await listExposures(ctx, byName)).total).toBe(0);
  });

  it.each([
    ["per-replica", { type: "per-replica" as const }, []],
    [
      "cloud",
      { type: "cloud" as const, provider: "aws" as const },
      [{ name: "shop", kind: "cloud", address: null, replicasDesired: 0 }],
    ],
  ])("of %s needs no pool", async (_, strategy, expected) => {
    const { pool } = await createTestCluster(ctx);
    const exposure = await createExposure(ctx, testSpec(pool, { strategy }));
    expect(await balancers(exposure)).toMatchObject(expected);
    expect(exposure.strategy).toMatchObject(strategy);
  });
});

describe("the plan refuses what creation refuses", () => {
  type Refusal = [
    string,
    (pool: AddressPool) => Parameters<typeof testSpec>[1] | Promise<Parameters<typeof testSpec>[1]>,
    object,
  ];
  const refusals: Refusal[] = [
    [
      "a missing cluster",
      () => ({ clusterId: newId("cluster") }),
      { code: "not-found", fields: [{ path: ["clusterId"] }] },
    ],
    [
      "a missing pool",
      () => ({ strategy: { type: "ecmp", poolId: newId("addressPool") } }),
      { code: "invalid", fields: [{ path: ["strategy", "poolId"] }] },
    ],
    [
      "a pool of another cluster",
      async () => ({ strategy: { type: "adaptive", poolId: (await createTestCluster(ctx)).pool.id } }),
      { code: "invalid", fields: [{ path: ["strategy", "poolId"] }] },
    ],
    [
      "a pool of another organisation",
      async () => {
        const { pool } = await createTestCluster(await createTestOrganization(database.db));
        return { strategy: { type: "adaptive", poolId: pool.id } };
      },
      { code: "invalid", fields: [{ path: ["strategy", "poolId"] }] },
    ],
    [
      "a cluster of another organisation",
      async () => ({ clusterId: (await createTestCluster(await createTestOrganization(database.db))).cluster.id }),
      { code: "not-found", fields: [{ path: ["clusterId"] }] },
    ],
    ["a name that is taken", () => ({ name: "taken" }), { code: "conflict", fields: [{ path: ["name"] }] }],
  ];

  it.each(refusals)("%s", async (_, other, refusal) => {
    const { pool } = await createTestCluster(ctx);
    await createExposure(ctx, testSpec(pool, { name: "taken" }));
    const spec = testSpec(pool, await other(pool));
    await expect(previewExposure(ctx, spec)).rejects.toMatchObject(refusal);
    await expect(createExposure(ctx, spec)).rejects.toMatchObject(refusal);
    expect((await listExposures(ctx, byName)).total).toBe(1);
    expect(await database.db.virtualAddress.count({ where: { poolId: pool.id } })).toBe(1);
  });
});

describe("a change", () => {
  it("raises the generation and marks the exposure for reconciliation", async () => {
    const { exposure } = await createTestExposure(ctx);
    await database.db.reconcileTask.deleteMany({});
    const after = await updateExposure(ctx, exposure.id, { labels: { tier: "gold" } });
    expect(after).toMatchObject({
      generation: 2,
      labels: { tier: "gold" },
      strategy: exposure.strategy,
      addresses: exposure.addresses,
    });
    expect(await task(exposure)).toMatchObject({ resting: false, attempts: 0 });
  });

  it("is an event that charts mark, once", async () => {
    const { exposure } = await createTestExposure(ctx);
    for (const tier of ["gold", "gold", "silver"]) await updateExposure(ctx, exposure.id, { labels: { tier } });
    const events = await database.db.event.findMany({ where: { subjectId: exposure.id, reason: "SpecChanged" } });
    expect(events.map(({ message }) => message)).toEqual([
      "Test changed labels.tier of shop.",
      "Test changed labels.tier of shop.",
    ]);
  });

  it("of the number of replicas keeps the remaining ones", async () => {
    const { exposure, pool } = await createTestExposure(ctx);
    const [before] = await balancers(exposure);
    const replicas = () =>
      database.db.replica.findMany({ where: { loadBalancerId: before?.id ?? "" }, orderBy: { ordinal: "asc" } });
    const two = await replicas();
    await updateExposure(ctx, exposure.id, { strategy: { type: "ecmp", replicas: 4, poolId: pool.id } });
    const four = await replicas();
    expect(four.map((each) => each.ordinal)).toEqual([0, 1, 2, 3]);
    expect(four.slice(0, 2)).toEqual(two);
    await updateExposure(ctx, exposure.id, { strategy: { type: "ecmp", replicas: 1, poolId: pool.id } });
    expect(await replicas()).toEqual(two.slice(0, 1));
    const [after] = await balancers(exposure);
    expect(after).toMatchObject({ id: before?.id, address: before?.address });
    expect(after?.updatedAt.getTime()).toBeGreaterThan(before?.updatedAt.getTime() ?? 0);
  });

  it("of the ports is refused where the current delivery can't map them, and the other way round", async () => {
    const { exposure, pool } = await createTestExposure(ctx);
    const tunnel = { type: "ecmp" as const, replicas: 2, poolId: pool.id, delivery: "tunnel" as const };
    const moved = [{ port: 80, targetPort: 8080, protocol: "tcp" as const }];
    const refusal = { code: "invalid", fields: [{ path: ["strategy", "delivery"] }] };
    await updateExposure(ctx, exposure.id, { ports: [{ port: 80, protocol: "tcp" }], strategy: tunnel });
    await expect(updateExposure(ctx, exposure.id, { ports: moved })).rejects.toMatchObject(refusal);
    const { generation } = await updateExposure(ctx, exposure.id, {
      ports: moved,
      strategy: { ...tunnel, delivery: "nat" },
    });
    await expect(updateExposure(ctx, exposure.id, { strategy: tunnel })).rejects.toMatchObject(refusal);
    expect(await getExposure(ctx, exposure.id)).toMatchObject({ generation, strategy: { delivery: "nat" } });
  });

  it("of the pool moves the address and releases the old one", async () => {
    const { exposure, cluster } = await createTestExposure(ctx);
    const other = await createAddressPool(ctx, {
      clusterId: cluster.id,
      name: "other",
      prefix: "198.51.100.0/30",
      note: "",
    });
    const after = await updateExposure(ctx, exposure.id, { strategy: { type: "ecmp", replicas: 2, poolId: other.id } });
    expect(after.addresses).toEqual(["198.51.100.1"]);
    expect(await database.db.virtualAddress.count({ where: { organizationId: ctx.organizationId } })).toBe(1);
  });

  it("to an exhausted pool leaves the old address in use", async () => {
    const { exposure, cluster } = await createTestExposure(ctx);
    const other = await createAddressPool(ctx, {
      clusterId: cluster.id,
      name: "other",
      prefix: "198.51.100.7/32",
      note: "",
    });
    await createExposure(ctx, testSpec(other, { name: "first" }));
    await expect(
      updateExposure(ctx, exposure.id, { strategy: { type: "ecmp", replicas: 2, poolId: other.id } }),
    ).rejects.toMatchObject({ code: "exhausted" });
    const replica = expect.objectContaining({ agentId: null, ready: false });
    const parts = { replicas: [replica, replica], backends: [], clusters: [], adaptive: null, session: null };
    expect(await getExposure(ctx, exposure.id)).toEqual({ ...exposure, ...parts });
  });

  it("of the name renames the balancer, and is refused when it is taken", async () => {
    const { exposure, pool } = await createTestExposure(ctx);
    await createExposure(ctx, testSpec(pool, { name: "other" }));
    await expect(updateExposure(ctx, exposure.id, { name: "other" })).rejects.toMatchObject({
      code: "conflict",
      fields: [{ path: ["name"] }],
    });
    await updateExposure(ctx, exposure.id, { name: "market" });
    expect(await balancers(exposure)).toMatchObject([{ name: "market", exposureName: "market" }]);
  });

  it("of the strategy's type is refused with what to do instead", async () => {
    const { exposure, pool } = await createTestExposure(ctx);
    await expect(
      updateExposure(ctx, exposure.id, {
        strategy: { type: "session", replicas: 2, poolId: pool.id, ...sessionDefaults },
      }),
    ).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("Create a second exposure with session"),
      fields: [{ path: ["strategy", "type"] }],
    });
  });

  it("is refused after an earlier one, when both name the generation they are based on", async () => {
    const { exposure } = await createTestExposure(ctx);
    const outcomes = await Promise.allSettled(
      ["a", "b", "c"].map((tier) => updateExposure(ctx, exposure.id, { labels: { tier } }, 1)),
    );
    expect(outcomes.filter((each) => each.status === "fulfilled")).toHaveLength(1);
    for (const each of outcomes)
      if (each.status === "rejected") expect(each.reason).toMatchObject({ code: "precondition-failed" });
    expect(await getExposure(ctx, exposure.id)).toMatchObject({ generation: 2 });
  });
});

describe("deletion", () => {
  it("is a spec: the rows stay until the reconciler has removed everything", async () => {
    const { exposure } = await createTestExposure(ctx);
    await database.db.reconcileTask.deleteMany({});
    await deleteExposure(ctx, exposure.id);
    expect(await getExposure(ctx, exposure.id)).toMatchObject({ phase: "deleting", generation: 2, deletedAt: ctx.now });
    expect(await balancers(exposure)).toMatchObject([{ phase: "deleting", address: "192.0.2.1" }]);
    expect(await task(exposure)).not.toBeNull();
  });

  it("requested twice has the same effect as once", async () => {
    const { exposure } = await createTestExposure(ctx);
    await deleteExposure(ctx, exposure.id, 1);
    await deleteExposure(ctx, exposure.id, 1);
    expect(await getExposure(ctx, exposure.id)).toMatchObject({ generation: 2 });
    const where = { organizationId: ctx.organizationId, action: "exposure.delete" };
    expect(await database.db.auditEntry.count({ where })).toBe(1);
  });

  it("can't be undone by a change", async () => {
    const { exposure } = await createTestExposure(ctx);
    await deleteExposure(ctx, exposure.id);
    await expect(updateExposure(ctx, exposure.id, { labels: {} })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("being deleted"),
    });
  });
});

describe("a list of exposures", () => {
  it("is narrowed by cluster, strategy, phase and name together", async () => {
    const { pool, cluster } = await createTestCluster(ctx);
    const { pool: elsewhere } = await createTestCluster(ctx);
    const wanted = await createExposure(ctx, testSpec(pool, { name: "shop-eu" }));
    await createExposure(ctx, testSpec(pool, { name: "shop-cloud", strategy: { type: "cloud", provider: "gcp" } }));
    await createExposure(ctx, testSpec(pool, { name: "blog" }));
    await createExposure(ctx, testSpec(elsewhere, { name: "shop-us" }));
    const gone = await createExposure(ctx, testSpec(pool, { name: "shop-old" }));
    await deleteExposure(ctx, gone.id);
    const page = await listExposures(ctx, {
      ...byName,
      clusterId: cluster.id,
      strategy: ["ecmp", "session"],
      phase: ["pending"],
      isServing: false,
      search: "shop",
    });
    expect(page).toEqual({ items: [wanted], total: 1, nextCursor: null });
  });
});
