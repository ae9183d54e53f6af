import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import { weightsProtocol } from "@fairlead/domain/exposure";
import { replicaWeight } from "@fairlead/domain/load-balancer";
import { updateClusterRouting } from "@fairlead/domain/routing";
import { deleteExposure, getExposure, updateCluster, updateExposure } from "@fairlead/services";
import { createTestNode } from "@fairlead/services/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { setSpanning } from "../../../testing/set-spanning.ts";
import { selectPlacedBalancers } from "../../placed-balancers.sql.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const router = { name: "tor-1", address: "10.0.0.1", asn: 65_021 };
const routingOf = (other: object) =>
  updateClusterRouting.parse({ asn: 65_021, balancers: ["10.0.0.0/24"], routers: [router], ...other });

it("has a condition that states why routers ignore its shares", async () => {
  const { db } = database;
  const { ctx, id, west, reconcile } = await setSpanning(db);
  const shared = async () => {
    await reconcile("exposure", id);
    const { status, reason, message } =
      (await getExposure(ctx, id)).conditions.find((each) => each.type === "Shared") ?? {};
    return [status, reason, message];
  };
  expect(await shared()).toEqual(["true", "SharesApplied", "Its clusters announce their shares."]);
  await updateCluster(ctx, west.id, { routing: routingOf({ med: 50 }) });
  expect(await shared()).toEqual([
    "false",
    "SharesIgnored",
    expect.stringMatching(/med \(MED\) is 0 .* and 50 .*: set med/),
  ]);
  expect(await db.event.count({ where: { subjectId: id, reason: "SharesIgnored", severity: "warning" } })).toBe(1);
  await updateCluster(ctx, west.id, { routing: routingOf({ med: 0 }) });
  expect((await shared())[0]).toBe("true");

  const { agentId } = await createTestNode(ctx, west.id, { name: "speaker-1", roles: ["speaker"] });
  expect(await shared()).toEqual([
    "false",
    "SharesIgnored",
    expect.stringMatching(/^The speaker on speaker-1 sends no share/),
  ]);
  await db.agent.update({ where: { id: agentId }, data: { protocolVersion: weightsProtocol } });
  expect((await shared())[0]).toBe("true");
});

it("gives a router in common the speakers of both clusters as peers", async () => {
  const { db } = database;
  const { ctx, id, own, west, reconcile, configOf, placements } = await setSpanning(db);
  const { id: agentId, nodeId } = await db.agent.findFirstOrThrow({
    where: { node: { clusterId: own.id, name: "tor-1" } },
  });
  const callers = async () => (await configOf(agentId)).router?.bgp.peers.map((each) => each.callers);
  const marks = async () => {
    const task = await db.reconcileTask.findFirstOrThrow({ where: { kind: "node", objectId: nodeId } });
    return Number(task.requests);
  };
  await updateCluster(ctx, west.id, { routing: routingOf({ balancers: ["10.9.0.0/24"] }) });
  expect(await callers()).toEqual(["10.0.0.0/24", "10.9.0.0/24"]);

  // A change of the other cluster's routing reaches the router at once.
  const before = await marks();
  await reconcile("cluster", west.id);
  expect(await marks()).toBe(before + 1);
  // Another router, or another exposure, is none of its business.
  await updateCluster(ctx, west.id, {
    routing: routingOf({ balancers: ["10.9.0.0/24"], routers: [{ ...router, address: "10.0.0.9" }] }),
  });
  expect(await callers()).toEqual(["10.0.0.0/24"]);
  await updateCluster(ctx, west.id, { routing: routingOf({ balancers: ["10.9.0.0/24"] }) });
  await updateExposure(ctx, id, { placements: [] });
  expect(await callers()).toEqual(["10.0.0.0/24", "10.9.0.0/24"]);
  await reconcile("exposure", id, new Date(Date.now() + 3_600_000));
  await reconcile("exposure", id, new Date(Date.now() + 3_600_000));
  expect(await callers()).toEqual(["10.0.0.0/24"]);
  const gone = await marks();
  await updateExposure(ctx, id, { placements: placements(10) });
  expect(await marks()).toBeGreaterThan(gone);
  expect(await callers()).toEqual(["10.0.0.0/24", "10.9.0.0/24"]);
});

it("removes the address from the filters of the other cluster with the placement", async () => {
  const { db } = database;
  const { ctx, id, west, reconcile, configOf } = await setSpanning(db);
  const { agentId, nodeId } = await createTestNode(ctx, west.id, { name: "rr-1", roles: ["reflector"] });
  const accepts = async () => (await configOf(agentId)).reflector?.accepts;
  const isMarked = async () => {
    const task = await db.reconcileTask.findUnique({ where: { kind_objectId: { kind: "node", objectId: nodeId } } });
    return task?.urgent === true;
  };
  const later = new Date(Date.now() + 3_600_000);
  const settle = async () => {
    await db.reconcileTask.updateMany({ where: { objectId: nodeId }, data: { urgent: false } });
    for (const _ of [1, 2, 3]) await reconcile("exposure", id, later);
  };
  expect(await accepts()).toEqual(["192.0.2.1/32", "198.51.100.0/24"]);
  await updateExposure(ctx, id, { placements: [] });
  expect(await accepts()).toEqual(["192.0.2.1/32", "198.51.100.0/24"]); // it drains
  await settle();
  expect(await db.loadBalancer.count({ where: { exposureId: id } })).toBe(1);
  expect(await isMarked()).toBe(true);
  expect(await accepts()).toEqual(["198.51.100.0/24"]);
});

it("removes the address from the filters of the other cluster with the exposure", async () => {
  const { db } = database;
  const { ctx, id, west, reconcile, configOf } = await setSpanning(db);
  const { agentId, nodeId } = await createTestNode(ctx, west.id, { name: "rr-1", roles: ["reflector"] });
  expect((await configOf(agentId)).reflector?.accepts).toContain("192.0.2.1/32");
  await deleteExposure(ctx, id);
  await db.reconcileTask.updateMany({ where: { objectId: nodeId }, data: { urgent: false } });
  for (const _ of [1, 2, 3]) await reconcile("exposure", id, new Date(Date.now() + 3_600_000));
  expect(await db.exposure.count({ where: { id } })).toBe(0);
  expect(await db.reconcileTask.count({ where: { objectId: nodeId, urgent: true } })).toBe(1);
  expect((await configOf(agentId)).reflector?.accepts).toEqual(["198.51.100.0/24"]);
});

it("keeps the weights of both clusters while one that was left drains", async () => {
  const { db } = database;
  const { ctx, id, own, west, placements, reconcile } = await setSpanning(db);
  const weights = async () => {
    const placed = await selectPlacedBalancers(db, { exposureId: id });
    const of = (each: { id: string }) => placed.find(({ balancer }) => balancer.id === each.id)?.balancer.weight;
    const rows = await db.loadBalancer.findMany({ where: { exposureId: id }, select: { id: true, clusterId: true } });
    return Object.fromEntries(rows.map((each) => [each.clusterId, of(each)]));
  };
  const addBackend = async (clusterId: string) => {
    const { id: loadBalancerId } = await db.loadBalancer.findFirstOrThrow({ where: { exposureId: id, clusterId } });
    const at = { address: "10.2.0.9", port: 443, protocol: "tcp", instance: "shop" };
    const backend = { id: newId("backend"), loadBalancerId, state: "draining", health: "up", observedAt: ctx.now };
    await db.backend.create({ data: { ...backend, ...at } });
  };
  await addBackend(west.id);
  await updateExposure(ctx, id, { placements: placements(40) });
  const [all, most, part] = [100, 60, 40].map((share) => replicaWeight(share, 0));
  expect(await weights()).toEqual({ [own.id]: most, [west.id]: part });
  await updateExposure(ctx, id, { placements: [] });
  expect(await weights()).toEqual({ [own.id]: all, [west.id]: part });
  // It returns with its new share.
  await updateExposure(ctx, id, { placements: placements(30) });
  expect((await weights())[west.id]).toBe(replicaWeight(30, 0));
  await updateExposure(ctx, id, { placements: [] });
  await db.backend.deleteMany({ where: { loadBalancer: { exposureId: id } } });
  for (const _ of [1, 2, 3]) await reconcile("exposure", id, new Date(Date.now() + 3_600_000));
  // One cluster needs no shares.
  expect(await weights()).toEqual({ [own.id]: undefined });
});
