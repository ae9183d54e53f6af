import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import { weightsProtocol } from "@fairlead/domain/exposure";
import { flowsSharedForMs } from "@fairlead/domain/load-balancer";
import { startMove as startInput } from "@fairlead/domain/move";
import { createExposure, startMove, updateExposure } from "@fairlead/services";
import { createTestClusters, createTestOrganization, testSpec } from "@fairlead/services/testing";
import { silentLog } from "@fairlead/telemetry";
import { afterAll, beforeAll, expect, it } from "vitest";
import { nodeReconciler } from "./node/index.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const flowAddress = { own: "10.0.0.2:7444", west: "10.0.1.2:7444" };

type Options = { delivery?: "gue" | "direct"; spans?: boolean; protocolVersion?: number };

/** stage has an exposure with a backend in each of its clusters, or in its own alone. */
async function stage({ delivery = "gue", spans = true, protocolVersion = weightsProtocol }: Options = {}) {
  const { db } = database;
  const ctx = await createTestOrganization(db);
  const { own, west, pool, agents, serve } = await createTestClusters(ctx);
  for (const key of ["own", "west"] as const) {
    const agentId = agents[key];
    await db.agent.update({ where: { id: agentId }, data: { protocolVersion } });
    const status = { engine: "tcx", address: "", flowAddress: flowAddress[key], observedAt: ctx.now };
    await db.balancerStatus.create({ data: { agentId, ...status } });
  }
  const placements = (share: number) => [
    { clusterId: own.id, share: 100 - share },
    { clusterId: west.id, share },
  ];
  const { id } = await createExposure(
    ctx,
    testSpec(pool, {
      ports: [{ port: 80, protocol: "tcp" }],
      strategy: { type: "ecmp", poolId: pool.id, replicas: 1, delivery },
      ...(spans ? { placements: placements(20) } : {}),
    }),
  );
  const addBackend = async (clusterId: string, instance: string, state = "active") => {
    const { id: loadBalancerId } = await db.loadBalancer.findFirstOrThrow({ where: { exposureId: id, clusterId } });
    const at = { address: `10.2.0.${clusterId === own.id ? 1 : 2}`, port: 80, protocol: "tcp" };
    const backend = { id: newId("backend"), loadBalancerId, instance, state, health: "up", observedAt: ctx.now };
    await db.backend.create({ data: { ...backend, ...at } });
  };
  const serveIn = async (clusterId: string, instance: string) => {
    await serve(id, clusterId);
    await addBackend(clusterId, instance);
  };
  await serveIn(own.id, "shop-own");
  if (spans) await serveIn(west.id, "shop-west");
  /** configOf compiles the config of the balancer of a cluster, and returns its backends and peers. */
  const configOf = async (key: "own" | "west") => {
    const { nodeId } = await db.agent.findUniqueOrThrow({ where: { id: agents[key] } });
    const lease = crypto.randomUUID();
    const task = { kind: "node", objectId: nodeId };
    await db.reconcileTask.upsert({
      where: { kind_objectId: task },
      create: { ...task, dueAt: ctx.now, lease },
      update: { lease },
    });
    await nodeReconciler.reconcile(nodeId, {
      ...{ db, log: silentLog, signal: new AbortController().signal, countCorrections: () => {} },
      ...{ task: { ...task, lease } as never, now: () => ctx.now, passed: async () => {} },
    });
    const { config } = await db.nodeConfig.findUniqueOrThrow({ where: { agentId: agents[key] } });
    const { services, peers } = (config as { balancer: Balancer }).balancer;
    const backends = services.flatMap((each) =>
      each.backends.map(({ address, state, elsewhere = false }) => ({ address, state, elsewhere })),
    );
    backends.sort((a, b) => (a.address < b.address ? -1 : 1));
    return { backends, peers: peers.map((each) => each.address) };
  };
  return { ctx, db, id, own, west, placements, configOf, serveIn };
}

type Balancer = {
  services: { backends: { address: string; state: string; elsewhere?: true }[] }[];
  peers: { address: string }[];
};

const ofOwn = (state = "active", elsewhere = false) => ({ address: "10.2.0.1", state, elsewhere });
const ofWest = (state = "active", elsewhere = false) => ({ address: "10.2.0.2", state, elsewhere });

it("shares flows between clusters while shares change, and not at rest", async () => {
  const { ctx, db, id, placements, configOf } = await stage();
  const atRest = { own: { backends: [ofOwn()], peers: [] }, west: { backends: [ofWest()], peers: [] } };
  expect({ own: await configOf("own"), west: await configOf("west") }).toEqual(atRest);
  await updateExposure({ ...ctx, now: new Date() }, id, { placements: placements(50) });
  expect(await configOf("own")).toEqual({
    backends: [ofOwn(), ofWest("draining", true)],
    peers: [flowAddress.west],
  });
  expect(await configOf("west")).toEqual({
    backends: [ofOwn("draining", true), ofWest()],
    peers: [flowAddress.own],
  });
  await db.exposure.update({ where: { id }, data: { sharesChangedAt: new Date(Date.now() - flowsSharedForMs - 1) } });
  expect({ own: await configOf("own"), west: await configOf("west") }).toEqual(atRest);
});

it("shares flows while a move runs, and while the cluster that is left drains", async () => {
  const { ctx, db, id, own, west, placements, configOf, serveIn } = await stage({ spans: false });
  const now = new Date();
  const move = startInput.parse({ exposureId: id, clusterId: west.id, steps: [20, 100] });
  const { id: moveId } = await startMove({ ...ctx, now }, move);
  const { id: addressOfId } = await db.loadBalancer.findFirstOrThrow({ where: { exposureId: id } });
  await db.loadBalancer.create({
    data: {
      ...{ id: newId("loadBalancer"), organizationId: ctx.organizationId, exposureId: id, clusterId: west.id },
      ...{ name: "shop-west", kind: "fairlead", addressOfId },
      replicas: { create: { id: newId("replica"), ordinal: 0 } },
    },
  });
  await db.exposure.update({ where: { id }, data: { placements: placements(20) } });
  await serveIn(west.id, "shop-west");
  const during = { backends: [ofOwn("draining", true), ofWest()], peers: [flowAddress.own] };
  expect(await configOf("west")).toEqual(during);
  await db.move.update({ where: { id: moveId }, data: { state: "done", endedAt: now } });
  expect((await configOf("west")).backends).toEqual([ofWest()]);
  const left = { exposureId: id, clusterId: own.id };
  await db.loadBalancer.updateMany({ where: left, data: { deletedAt: now } });
  expect(await configOf("west")).toEqual(during);
  await db.backend.deleteMany({ where: { loadBalancer: left } });
  expect((await configOf("west")).backends).toEqual([ofWest()]);
});

it.each<[string, Options]>([
  ["whose delivery doesn't reach other clusters", { delivery: "direct" }],
  ["whose agents are outdated", { protocolVersion: weightsProtocol - 1 }],
])("leaves out backends of other clusters for an exposure %s", async (_, options) => {
  const { db, id, configOf } = await stage(options);
  await db.exposure.update({ where: { id }, data: { sharesChangedAt: new Date() } });
  expect((await configOf("own")).backends).toEqual([ofOwn()]);
});
