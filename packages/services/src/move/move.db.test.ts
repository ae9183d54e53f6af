import { inTransaction } from "@fairlead/db";
import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import { weightsProtocol } from "@fairlead/domain/exposure";
import { previewMove as previewInput, startMove as startInput } from "@fairlead/domain/move";
import { afterAll, beforeAll, expect, it } from "vitest";
import { deleteAddressPool } from "../address-pool/index.ts";
import { deleteCluster } from "../cluster/index.ts";
import { createExposure, getExposure, pauseExposure, resumeExposure, updateExposure } from "../exposure/index.ts";
import { createTestClusters, createTestOrganization, insertTestSamples, testSpec } from "../testing/index.ts";
import { getMove, lookAtMove, pauseMove, previewMove, resumeMove, rollBackMove, startMove } from "./index.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** stage has an exposure that serves in one cluster, and another cluster that it may be moved to. */
async function stage() {
  const { db } = database;
  const ctx = await createTestOrganization(db);
  const clusters = await createTestClusters(ctx);
  const { own, west, pool, serve } = clusters;
  const { id, addresses } = await createExposure(ctx, testSpec(pool));
  await serve(id, own.id);
  const input = (other: object = {}) => startInput.parse({ exposureId: id, clusterId: west.id, ...other });
  const at = (seconds: number) => new Date(ctx.now.getTime() + seconds * 1_000);
  const look = (moveId: string, seconds: number) => inTransaction(db, (tx) => lookAtMove(tx, moveId, at(seconds)));
  const shares = async () => {
    const { clusterId, placements } = await getExposure(ctx, id);
    return placements.length === 0
      ? { [clusterId]: 100 }
      : Object.fromEntries(placements.map((each) => [each.clusterId, each.share]));
  };
  const balancers = async () => {
    const rows = await db.loadBalancer.findMany({ where: { exposureId: id }, include: { address: true } });
    return Object.fromEntries(
      rows.map(({ clusterId, name, address, addressOfId, deletedAt }) => [
        clusterId,
        { name, address: address?.address ?? null, announces: addressOfId !== null, leaves: deletedAt !== null },
      ]),
    );
  };
  return { ...clusters, ctx, db, id, address: addresses[0] ?? "", input, at, look, shares, balancers };
}

it("moves an exposure step by step, and gives the address to the balancer of the target at the end", async () => {
  const { ctx, db, own, west, pool, id, address, input, look, shares, balancers, serve } = await stage();
  const { id: moveId } = await startMove(ctx, input({ steps: [5, 50, 100] }));
  expect(await shares()).toEqual({ [own.id]: 100 });
  expect(await look(moveId, 0.1)).toBe(1_000);
  expect(await shares()).toEqual({ [own.id]: 95, [west.id]: 5 });
  // It is watched once the target serves.
  await look(moveId, 30);
  await serve(id, west.id);
  await look(moveId, 31);
  await look(moveId, 90.9);
  expect((await getMove(ctx, moveId)).step).toBe(1);
  await look(moveId, 91);
  expect(await shares()).toEqual({ [own.id]: 50, [west.id]: 50 });
  await look(moveId, 151);
  expect(await shares()).toEqual({ [west.id]: 100 });
  expect(await balancers()).toEqual({
    [own.id]: { name: `shop-${own.name}`, address: null, announces: true, leaves: true },
    [west.id]: { name: "shop", address, announces: false, leaves: false },
  });
  await look(moveId, 211);
  const { state, share, figures, history, endedAt } = await getMove(ctx, moveId);
  expect({ state, share }).toEqual({ state: "done", share: 100 });
  expect(endedAt).not.toBeNull();
  expect(history.map((each) => [each.share, each.state])).toEqual([
    [0, "planned"],
    [5, "watching"],
    [50, "watching"],
    [100, "watching"],
    [100, "done"],
  ]);
  expect(figures[0]).toMatchObject({ name: "backends", state: "open", value: 1 });
  expect(await look(moveId, 300)).toBeNull();
  const moved = await getExposure(ctx, id);
  expect(moved).toMatchObject({ id, clusterId: west.id, name: "shop", addresses: [address] });

  // The address stays in its pool, so the spec can still be changed, and the pool can't be deleted.
  await updateExposure(ctx, id, { ports: [{ port: 80, protocol: "tcp", targetPort: 80, name: "http" }] });
  expect((await getExposure(ctx, id)).addresses).toEqual([address]);
  await expect(deleteAddressPool(ctx, pool.id)).rejects.toThrow("1 of its addresses in use");
  await db.loadBalancer.deleteMany({ where: { exposureId: id, clusterId: own.id } });
  await expect(deleteCluster(ctx, own.id)).rejects.toThrow(
    /The pool public of .* has the address of shop, which was moved/,
  );
  // It can be moved back.
  expect((await startMove(ctx, input({ clusterId: own.id }))).state).toBe("planned");
});

it("rolls back within a look when a gate closes, also after the address was given to the target", async () => {
  const { ctx, db, own, west, id, address, input, at, look, shares, balancers, serve } = await stage();
  const { id: moveId } = await startMove(ctx, input({ steps: [50, 100] }));
  await look(moveId, 0);
  await serve(id, west.id);
  await look(moveId, 1);
  await look(moveId, 61);
  expect(await shares()).toEqual({ [west.id]: 100 });
  const { id: subjectId } = await db.loadBalancer.findFirstOrThrow({ where: { exposureId: id, clusterId: west.id } });
  const points = (value: number) => [62, 67, 72].map((after) => [after * 1_000, value] as const);
  await insertTestSamples({ ...ctx, now: at(0) }, [
    { subjectId, metric: "packetsPerSecond", labels: { agent: "a" }, points: points(90) },
    { subjectId, metric: "dropsPerSecond", labels: { agent: "a", reason: "full" }, points: points(10) },
  ]);
  await look(moveId, 73);
  expect(await getMove(ctx, moveId)).toMatchObject({
    state: "rolling-back",
    reason: expect.stringContaining("10 % of packets dropped, at most 1 %"),
  });
  // The source is being removed, so it must serve again before the target leaves.
  await look(moveId, 73.5);
  expect(await shares()).toEqual({ [own.id]: 99, [west.id]: 1 });
  expect(await balancers()).toMatchObject({
    [own.id]: { name: "shop", address, announces: false, leaves: false },
    [west.id]: { name: `shop-${west.name}`, address: null, announces: true, leaves: false },
  });
  await serve(id, own.id);
  expect(await look(moveId, 74)).toBeNull();
  expect(await shares()).toEqual({ [own.id]: 100 });
  expect((await balancers())[west.id]).toMatchObject({ leaves: true });
  expect(await getMove(ctx, moveId)).toMatchObject({ state: "rolled-back", share: 0 });
});

it("pauses when a side is unreachable, and continues or rolls back on request", async () => {
  const { ctx, db, own, west, agents, id, input, look, shares, serve } = await stage();
  const { id: moveId } = await startMove(ctx, input());
  await look(moveId, 0);
  await serve(id, west.id);
  await look(moveId, 1);
  const report = (agentId: string, at: Date) =>
    db.nodeStatus.update({ where: { agentId }, data: { lastReportAt: at } });
  await report(agents.west, new Date(Date.now() - 3_600_000));
  await look(moveId, 2);
  const paused = await getMove(ctx, moveId);
  expect(paused).toMatchObject({
    state: "paused",
    reason: `No balancer agent of ${west.name} reports. The shares stay as they are.`,
  });
  await look(moveId, 500);
  expect(await shares()).toEqual({ [own.id]: 95, [west.id]: 5 });
  await report(agents.west, new Date());
  expect((await resumeMove({ ...ctx, now: new Date() }, moveId)).state).toBe("watching");
  expect((await pauseMove(ctx, moveId)).reason).toBe("Test paused it.");
  // While the exposure is paused, nothing may be written for it.
  await pauseExposure(ctx, id);
  await expect(rollBackMove(ctx, moveId)).rejects.toThrow("is paused: resume it, then roll back");
  await resumeExposure(ctx, id);
  await rollBackMove(ctx, moveId);
  expect(await look(moveId, 501)).toBeNull();
  expect(await shares()).toEqual({ [own.id]: 100 });
  await expect(rollBackMove(ctx, moveId)).rejects.toThrow("has ended: start another one");
});

it("refuses what could not be completed, and names the field and the cure", async () => {
  const { ctx, db, own, west, pool, id, input, shares } = await stage();
  const refused = (other: object, path: string, message: RegExp) =>
    expect(startMove(ctx, input(other))).rejects.toMatchObject({
      fields: [{ path: [path], message: expect.stringMatching(message) }],
    });
  await refused({ clusterId: own.id }, "clusterId", /is in cluster-\d+ already: choose another/);
  await refused({ clusterId: newId("cluster") }, "clusterId", /no such cluster: choose another/);
  await refused(
    { workload: { kind: "deployment", name: "other" } },
    "workload",
    /has no instance of .*: start it there/,
  );
  await db.cluster.update({ where: { id: west.id }, data: { routing: { asn: 65_021, balancers: [], routers: [] } } });
  await refused({}, "clusterId", /no router in common: list a router/);
  const { routing } = await db.cluster.findUniqueOrThrow({ where: { id: own.id } });
  await db.cluster.update({ where: { id: west.id }, data: { routing: routing ?? {} } });
  await createExposure(
    ctx,
    testSpec({
      ...pool,
      clusterId: west.id,
      id: (await db.addressPool.findFirstOrThrow({ where: { clusterId: west.id } })).id,
    }),
  );
  await refused({}, "clusterId", /already has an exposure named shop\. Rename one/);
  await db.exposure.updateMany({ where: { clusterId: west.id }, data: { name: "other" } });
  const session = await createExposure(
    ctx,
    testSpec(pool, { name: "tls", ports: [{ port: 443 }], strategy: { type: "session", poolId: pool.id } }),
  );
  await refused({ exposureId: session.id }, "exposureId", /Only exposures with the strategy ecmp/);

  const preview = await previewMove(ctx, previewInput.parse(input()));
  expect(preview).toMatchObject({ toClusterName: west.name, leastSeconds: 240, cost: { currency: "USD" } });
  expect(preview.steps[1]).toEqual({ share: 25, afterSeconds: 60 });
  expect(preview.breaks.join(" ")).toContain("The address of shop stays the same");
  // Only a delivery that reaches the other cluster keeps connections, if its agents share them.
  expect(preview.breaks[0]).toContain("Open connections that move to another cluster break");
  const { parameters } = await db.exposure.findUniqueOrThrow({ where: { id } });
  const gue = { ...(parameters as object), delivery: "gue" };
  await db.exposure.update({ where: { id }, data: { parameters: gue } });
  const breaksNow = async () => (await previewMove(ctx, previewInput.parse(input()))).breaks[0];
  expect(await breaksNow()).toContain("its agent is outdated. Update it");
  await db.agent.updateMany({ data: { protocolVersion: weightsProtocol } });
  expect(await breaksNow()).toContain("These know them, and keep them");
  const status = { engine: "tcx", address: "", observedAt: ctx.now, flowAddress: "0.0.0.0:7444" };
  const balancer = await db.agent.findFirstOrThrow({
    where: { node: { clusterId: west.id }, roles: { has: "balancer" } },
  });
  await db.balancerStatus.create({ data: { agentId: balancer.id, ...status } });
  expect(await breaksNow()).toContain("Set its --flows-listen");
  await db.exposure.update({ where: { id }, data: { parameters: parameters as object } });
  expect(await shares()).toEqual({ [own.id]: 100 });

  await startMove(ctx, input());
  await refused({}, "exposureId", /is being moved to .* already: wait for the end of that move, or roll it back/);
  await expect(
    updateExposure(ctx, id, { workload: { kind: "deployment", namespace: "default", name: "x" } }),
  ).rejects.toMatchObject({
    fields: [{ path: ["workload"], message: expect.stringMatching(/is being moved/) }],
  });
  // The database refuses a second one by itself.
  const { id: _, ...first } = await db.move.findFirstOrThrow({ where: { exposureId: id } });
  await expect(
    db.move.create({ data: { ...first, id: newId("move"), gates: {}, before: {}, figures: [], workload: {} } }),
  ).rejects.toMatchObject({ code: "P2002" });
});
