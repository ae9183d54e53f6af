import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import type { Cluster } from "@fairlead/domain/cluster";
import { listExposures as listInput, weightsProtocol } from "@fairlead/domain/exposure";
import { updateClusterRouting } from "@fairlead/domain/routing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createAddressPool } from "../address-pool/index.ts";
import { deleteCluster, updateCluster } from "../cluster/index.ts";
import type { ServiceContext } from "../context.ts";
import { createTestCluster, createTestNode, createTestOrganization, testSpec } from "../testing/index.ts";
import {
  createExposure,
  getExposure,
  listExposures,
  loadDesiredExposure,
  pauseExposure,
  previewExposure,
  updateExposure,
} from "./index.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const router = { name: "tor-1", address: "10.0.0.1", asn: 65_021 };

async function route(ctx: ServiceContext, { id }: Cluster, routers: object[] = [router], other = {}): Promise<void> {
  const routing = updateClusterRouting.parse({ asn: 65_021, balancers: ["10.0.0.0/24"], routers, ...other });
  await updateCluster(ctx, id, { routing });
}

/** stage has two clusters behind one router of ours; the second has an agent and an instance. */
async function stage() {
  const { db } = database;
  const ctx = await createTestOrganization(db);
  const { cluster: own, pool } = await createTestCluster(ctx);
  const { cluster: west } = await createTestCluster(ctx, "198.51.100.0/24");
  await route(ctx, own);
  await route(ctx, west);
  const { agentId } = await createTestNode(ctx, own.id, { name: "tor-1", roles: ["router"] });
  await db.agent.update({ where: { id: agentId }, data: { protocolVersion: weightsProtocol } });
  await db.bgpStatus.create({
    data: { agentId, address: router.address, asn: 65_021, routerId: router.address, observedAt: ctx.now },
  });
  await createTestNode(ctx, west.id, { name: "lb-1", roles: ["balancer"] });
  await db.instance.create({
    data: {
      ...{ id: newId("instance", ctx.now), organizationId: ctx.organizationId, clusterId: west.id, name: "shop-1" },
      ...{
        workload: "shop",
        nodeName: "n1",
        addresses: ["10.2.0.1"],
        ready: true,
        source: west.id,
        changedAt: ctx.now,
      },
    },
  });
  const placements = (share: number) => [
    { clusterId: own.id, share: 100 - share },
    { clusterId: west.id, share },
  ];
  const spec = (other: Parameters<typeof testSpec>[1] = {}) => testSpec(pool, { placements: placements(20), ...other });
  return { ctx, db, own, west, pool, routerId: agentId, placements, spec };
}

it("creates a load balancer in each cluster, with one address", async () => {
  const { ctx, db, own, west, spec, placements } = await stage();
  const plan = await previewExposure(ctx, spec());
  expect(plan.summary).toBe(`One virtual address on 2 replicas in each of ${own.name}, ${west.name}.`);
  const { id, addresses } = await createExposure(ctx, spec());
  expect(addresses).toEqual(["192.0.2.1"]);
  const balancers = () =>
    db.loadBalancer.findMany({
      where: { exposureId: id },
      orderBy: { addressOfId: { sort: "asc", nulls: "first" } },
      select: { id: true, clusterId: true, addressOfId: true, deletedAt: true, _count: { select: { replicas: true } } },
    });
  const [first, second, ...more] = await balancers();
  expect(more).toEqual([]);
  expect(first).toMatchObject({ clusterId: own.id, addressOfId: null, _count: { replicas: 2 } });
  expect(second).toMatchObject({ clusterId: west.id, addressOfId: first?.id, _count: { replicas: 2 } });
  const detail = await getExposure(ctx, id);
  expect(detail.clusters.map((each) => [each.clusterName, each.share, each.routedShare])).toEqual([
    [own.name, 80, null],
    [west.name, 20, null],
  ]);
  const listed = await listExposures(ctx, listInput.parse({ clusterId: west.id }));
  expect(listed.items.map((each) => each.id)).toEqual([id]);
  await expect(deleteCluster(ctx, west.id)).rejects.toThrow("still has 1 exposure");

  const gone = await updateExposure(ctx, id, { placements: [] });
  expect(gone.generation).toBe(2);
  expect((await balancers())[1]).toMatchObject({ id: second?.id, deletedAt: expect.any(Date) });
  // It drains until then, so the same balancer serves again.
  await updateExposure(ctx, id, { placements: placements(60) });
  expect((await balancers())[1]).toMatchObject({ id: second?.id, deletedAt: null });
});

it("lets a cluster stand by, also where the router ignores weights, and then refuses shares", async () => {
  const { ctx, db, own, west, spec, routerId, placements } = await stage();
  await db.agent.update({ where: { id: routerId }, data: { protocolVersion: weightsProtocol - 1 } });
  const { id } = await createExposure(ctx, spec({ placements: placements(0) }));
  const standing = async () =>
    (await loadDesiredExposure(db, id))?.loadBalancers.map((each) => [
      each.elsewhere?.name ?? own.name,
      each.standsBy ?? false,
    ]);
  expect(await standing()).toEqual([
    [own.name, false],
    [west.name, true],
  ]);
  expect((await getExposure(ctx, id)).clusters.map((each) => each.share)).toEqual([100, 0]);
  await updateExposure(ctx, id, { placements: placements(100) });
  expect(await standing()).toEqual([
    [own.name, true],
    [west.name, false],
  ]);
  await expect(updateExposure(ctx, id, { placements: placements(20) })).rejects.toMatchObject({
    fields: [
      {
        path: ["placements", 1, "clusterId"],
        message: expect.stringMatching(/spread flows by weights.* they stand by/),
      },
    ],
  });
});

it("shows the shares in the kernels of routers", async () => {
  const { ctx, db, own, west, spec, routerId } = await stage();
  const { id, addresses } = await createExposure(ctx, spec());
  const [address = ""] = addresses;
  const { organizationId, now } = ctx;
  const hops = [
    { address: "10.0.0.7", weight: 256 },
    { address: "10.0.0.8", weight: 64 },
  ];
  const observed = { organizationId, prefix: `${address}/32`, observedAt: now };
  await db.route.create({
    data: { id: newId("route", now), ...observed, clusterId: own.id, agentId: routerId, since: now, nextHops: hops },
  });
  for (const [clusterId, nextHop] of [
    [own.id, "10.0.0.7"],
    [west.id, "10.0.0.8"],
  ] as const) {
    const { id: loadBalancerId } = await db.loadBalancer.findFirstOrThrow({ where: { exposureId: id, clusterId } });
    const { agentId } = await createTestNode(ctx, clusterId, { name: `speaker-${nextHop}`, roles: ["speaker"] });
    await db.announcement.create({
      data: {
        ...{ id: newId("announcement", now), ...observed, clusterId, agentId, nextHop, loadBalancerId },
        ...{ state: "offered", stateSince: now },
      },
    });
  }
  const shares = async () => (await getExposure(ctx, id)).clusters.map((each) => [each.clusterName, each.routedShare]);
  expect(await shares()).toEqual([
    [own.name, 80],
    [west.name, 20],
  ]);
  // A router that sends all to one cluster counts for both.
  const { agentId: other } = await createTestNode(ctx, own.id, { name: "tor-2", roles: ["router"] });
  const all = { clusterId: own.id, agentId: other, since: now, nextHops: hops.slice(0, 1) };
  await db.route.create({ data: { id: newId("route", now), ...observed, ...all } });
  expect(await shares()).toEqual([
    [own.name, 90],
    [west.name, 10],
  ]);
});

it("keeps a cluster that a paused exposure will span", async () => {
  const { ctx, west, spec, placements } = await stage();
  const { id } = await createExposure(ctx, { ...spec(), placements: [] });
  await pauseExposure(ctx, id);
  await updateExposure(ctx, id, { placements: placements(20) });
  await expect(deleteCluster(ctx, west.id)).rejects.toMatchObject({
    message: expect.stringMatching(/^The exposure shop lists .*remove the placement first\.$/),
  });
});

it("refuses a cluster that can't serve it, and names the field and the cure", async () => {
  const { ctx, db, own, west, spec, routerId, placements } = await stage();
  const { name } = west;
  const refused = async (want: { path: (string | number)[]; message: RegExp }) =>
    expect(createExposure(ctx, spec())).rejects.toMatchObject({
      code: "invalid",
      fields: [{ path: want.path, message: expect.stringMatching(want.message) }],
    });
  const clusterField = ["placements", 1, "clusterId"];
  await db.agent.update({ where: { id: routerId }, data: { protocolVersion: weightsProtocol - 1 } });
  await refused({ path: clusterField, message: /tor-1 .* not known to spread flows by weights: update/ });
  await route(ctx, own, [{ ...router, weights: true }]);
  await db.instance.updateMany({ where: { clusterId: west.id }, data: { workload: "other" } });
  await refused({ path: clusterField, message: new RegExp(`${name} has no instance of deployment default/shop: `) });
  await db.instance.updateMany({ where: { clusterId: west.id }, data: { workload: "shop" } });
  const pool = await createAddressPool(ctx, {
    ...{ clusterId: west.id, name: "same", prefix: "192.0.2.0/25", note: "", allowOverlap: true },
  });
  await refused({ path: clusterField, message: /The pool same of .* has the same addresses/ });
  await db.addressPool.delete({ where: { id: pool.id } });
  await route(ctx, west, [{ ...router, address: "10.0.0.2" }]);
  await refused({ path: clusterField, message: /no router in common/ });
  await updateCluster(ctx, west.id, { routing: null });
  await refused({ path: clusterField, message: /announces nothing by BGP: configure its routing/ });
  await route(ctx, west, [router], { preference: 200 });
  await refused({ path: clusterField, message: /preference \(LOCAL_PREF\) is 100 .* and 200 .*: set preference/ });
  await route(ctx, west);
  const { agentId } = await createTestNode(ctx, west.id, { name: "lb-2", roles: ["speaker"] });
  await refused({ path: clusterField, message: /The speaker on lb-2 sends no shares.*: update it/ });
  await db.agent.update({ where: { id: agentId }, data: { protocolVersion: weightsProtocol } });
  const { id } = await createExposure(ctx, spec());

  // Later, a cluster that fails doesn't prevent that its share is changed.
  const nodes = await db.node.findMany({ where: { clusterId: west.id }, select: { id: true } });
  await db.nodeStatus.deleteMany({ where: { nodeId: { in: nodes.map((each) => each.id) } } });
  await expect(createExposure(ctx, spec({ name: "other" }))).rejects.toMatchObject({
    fields: [
      { path: clusterField, message: `No agent of the role balancer reports in ${name}: add one, or start it.` },
    ],
  });
  await updateExposure(ctx, id, { placements: placements(1) });
  // But what its pods are is checked again when that changes.
  await expect(updateExposure(ctx, id, { workload: { ...spec().workload, name: "other" } })).rejects.toMatchObject({
    fields: [{ path: clusterField }],
  });
  await expect(updateExposure(ctx, id, { placements: [{ clusterId: own.id, share: 50 }] })).rejects.toMatchObject({
    fields: [{ path: ["placements"] }],
  });
  const unknown = [
    { clusterId: own.id, share: 50 },
    { clusterId: newId("cluster"), share: 50 },
  ];
  await expect(updateExposure(ctx, id, { placements: unknown })).rejects.toMatchObject({
    fields: [{ path: clusterField, message: "There is no such cluster: choose another." }],
  });
});
