import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import { type SimulatorPlan, type SimulatorResult, whatIfChange } from "@fairlead/domain/exposure";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { ServiceContext } from "../../context.ts";
import { createTestExposure, createTestNode, createTestOrganization } from "../../testing/index.ts";
import { predictWhatIf, type SimulatorCaller } from "../index.ts";

let database: TestDatabase;
let ctx: ServiceContext;
let exposureId: string;
let nodeIds: [string, string];
let simulated: { caller: SimulatorCaller | null; plans: readonly SimulatorPlan[] }[];
const reportedAt = new Date("2026-11-30T12:00:00Z");

beforeAll(async () => {
  database = await createTestDatabase();
  ctx = await createTestOrganization(database.db);
  const { cluster, pool, exposure } = await createTestExposure(ctx);
  exposureId = exposure.id;
  await ctx.db.exposure.update({
    where: { id: exposureId },
    data: { strategy: "adaptive", parameters: { poolId: pool.id } },
  });
  await ctx.db.replica.deleteMany({ where: { loadBalancer: { exposureId } } });
  const { id: loadBalancerId } = await ctx.db.loadBalancer.findFirstOrThrow({ where: { exposureId } });
  const nodes = [];
  for (const name of ["n1", "n2"])
    nodes.push(await createTestNode(ctx, cluster.id, { name, roles: ["adaptive"], lastReportAt: null }));
  nodeIds = [nodes[0]?.nodeId ?? "", nodes[1]?.nodeId ?? ""];
  for (const [ordinal, { nodeId, agentId }] of nodes.entries()) {
    const replicaId = newId("replica");
    await ctx.db.replica.create({
      data: { id: replicaId, loadBalancerId, role: "adaptive", nodeId, agentId, ordinal },
    });
    const peers = nodeIds
      .filter((id) => id !== nodeId)
      .map((id) => ({ nodeId: id, isExchanging: true, roundTripMs: 4 }));
    await ctx.db.adaptiveStatus.create({ data: { agentId, cores: 2, peers, observedAt: reportedAt } });
    const observedAt = new Date(reportedAt.getTime() + ordinal * 1_000);
    await ctx.db.adaptiveReplica.create({ data: { replicaId, services: services(ordinal), observedAt } });
  }
  // A balancer for clients outside is on a node that counts already.
  const [nodeId] = nodeIds;
  const agentId = nodes[0]?.agentId ?? "";
  await ctx.db.replica.create({
    data: { id: newId("replica"), loadBalancerId, role: "balancer", nodeId, agentId, ordinal: 0 },
  });
});
beforeEach(() => {
  simulated = [];
  ctx.simulator = async (caller, plans) => {
    simulated.push({ caller, plans });
    return plans.map(resultOf);
  };
});
afterAll(() => database.drop());

const resultOf = (_: SimulatorPlan, place: number): SimulatorResult => ({
  ...{ meanMs: 1 + place, latency: { p50Ms: 2, p99Ms: 3 }, localShare: 0.5, busyShares: [0.1, 0.2, 0.3] },
});

/** Of two ports. Instances are on the first node, and on one without an agent. */
function services(ordinal: number) {
  const figures = { open: 2, chosen: 9, failures: 0, share: 0.5, inFlight: 1, requestsPerSecond: 60, costMs: 5 };
  const nodes = [
    { ...figures, nodeId: nodeIds[0], backends: 2, serviceMs: 8, cores: 1.5, byWeight: false },
    { ...figures, nodeId: "n3", backends: 1, serviceMs: null, cores: null, byWeight: true },
  ];
  const service = { protocol: "tcp", refused: 0, connectionsPerSecond: 20, nodes };
  return [
    { ...service, port: 80, requestsPerSecond: 10 },
    { ...service, port: 443, requestsPerSecond: 41 - ordinal * 41, connectionsPerSecond: 20 + ordinal },
  ];
}

const predict = (change: Parameters<typeof whatIfChange.parse>[0]) =>
  predictWhatIf(ctx, exposureId, whatIfChange.parse(change));

it("simulates what the agents reported of the busiest port, before and after the change", async () => {
  const found = await predict({ instances: [{ nodeId: nodeIds[1], count: 3 }] });
  expect(found).toMatchObject({ port: 443, protocol: "tcp", observedAt: reportedAt });
  expect(found.now).toMatchObject({ latencyMsMean: 1, load: (41 * 8) / 1_000 / 3.25 });
  expect(found.changed).toMatchObject({ latencyMsMean: 2, latencyMsP99: 3, localShare: 0.5 });
  expect(found.changed.nodes).toEqual([
    { nodeId: nodeIds[0], nodeName: "n1", instances: 2, requestsPerSecond: 20, busyRatio: 0.1 },
    { nodeId: nodeIds[1], nodeName: "n2", instances: 3, requestsPerSecond: 21, busyRatio: 0.2 },
    { nodeId: "n3", nodeName: "n3", instances: 1, requestsPerSecond: 0, busyRatio: 0.3 },
  ]);
  expect(found.assumptions).toContain("Requests are assumed to take as long as elsewhere: n3.");
  const [{ caller, plans } = { caller: null, plans: [] }] = simulated;
  expect(caller).toEqual({ id: `${ctx.actor.kind} ${ctx.actor.id}`, organizationId: ctx.organizationId });
  expect(plans.map((each) => each.backends)).toEqual([
    [2, 0, 1],
    [2, 3, 1],
  ]);
  expect(plans[0]).toMatchObject({ cores: [1.5, 2, 1.75], rates: [20, 21, 0], serviceTime: 0.008, perConnection: 1 });
  expect(plans[0]?.delay[0]?.[1]).toBe(0.002);
});

it("leaves out revoked agents, and of many nodes the unused ones", async () => {
  const ofExposure = { role: "adaptive", loadBalancer: { exposureId } };
  const replicas = await ctx.db.replica.findMany({ where: ofExposure, include: { agent: true, adaptive: true } });
  const [first, second] = [...replicas].sort((a, b) => a.ordinal - b.ordinal);
  const agent = second?.agent;
  if (!first || !second || !agent) throw new Error("The test needs two replicas.");
  const { clusterId } = await ctx.db.node.findUniqueOrThrow({ where: { id: nodeIds[0] } });
  const unused = Array.from({ length: 500 }, (_, i) => `${String(i).padStart(3, "0")}-unused`);
  const idOf = (name: string) => `nod_${name}`;
  await ctx.db.node.createMany({
    data: unused.map((name) => ({ id: idOf(name), organizationId: ctx.organizationId, clusterId, name, settings: {} })),
  });
  await ctx.db.agent.createMany({
    data: unused.map((name) => ({ ...agent, id: `agt_${name}`, nodeId: idOf(name), certificateSerial: name })),
  });
  await ctx.db.replica.createMany({
    data: unused.map((name, i) => ({
      ...{ id: `rep_${name}`, loadBalancerId: first.loadBalancerId, role: "adaptive", ordinal: 10 + i },
      ...{ nodeId: idOf(name), agentId: `agt_${name}` },
    })),
  });
  const found = await predict({ roundTripMs: 9 });
  expect(found.now.nodes.map((each) => each.nodeName)).toEqual(["n1", "n2", "n3"]);
  expect(found.assumptions).toContain(
    "500 other nodes are left out: those with instances, and with the most connections, are simulated.",
  );
  const named = await predict({ instances: [{ nodeId: idOf("499-unused"), count: 1 }] });
  expect(named.changed.nodes.map((each) => each.nodeName)).toContain("499-unused");

  const peers = [nodeIds[1], "n3"].map((nodeId) => ({ nodeId, isExchanging: true, roundTripMs: 4 }));
  await ctx.db.adaptiveStatus.update({ where: { agentId: first.agentId ?? "" }, data: { peers } });
  await ctx.db.agent.update({ where: { id: agent.id }, data: { revokedAt: new Date() } });
  expect((await predict({ roundTripMs: 9 })).now.nodes.map((each) => each.nodeName)).toEqual(["n1", "n3"]);
  await ctx.db.agent.update({ where: { id: agent.id }, data: { revokedAt: null } });
  await ctx.db.node.deleteMany({ where: { id: { in: unused.map(idOf) } } });
  await ctx.db.replica.deleteMany({ where: { id: { in: unused.map((name) => `rep_${name}`) } } });
});

it("simulates only what isn't overloaded", async () => {
  const found = await predict({ slowed: [nodeIds[0], "n3"].map((nodeId) => ({ nodeId, times: 20 })) });
  expect(simulated.map((each) => each.plans.length)).toEqual([1]);
  expect([found.now.latencyMsMean, found.changed.latencyMsMean]).toEqual([1, null]);
  expect(found.changed.load).toBeGreaterThan(1);
});

it("takes the port that is named, and rejects one without figures", async () => {
  expect(await predict({ port: 80, roundTripMs: 9 })).toMatchObject({ port: 80 });
  await expect(predict({ port: 81, roundTripMs: 9 })).rejects.toMatchObject({
    ...{ code: "invalid", fields: [{ path: ["port"], message: expect.stringContaining("figures of port 81") }] },
  });
});

it("names a node that is unknown", async () => {
  await expect(predict({ slowed: [{ nodeId: "nod_x", times: 2 }] })).rejects.toMatchObject({
    ...{ code: "invalid", fields: [{ path: ["slowed", 0, "nodeId"], message: expect.stringContaining("Use one of") }] },
  });
  expect(simulated).toEqual([]);
});

it("reads reports of agents that don't report rates yet", async () => {
  const older = services(0).map(({ connectionsPerSecond: _, requestsPerSecond: __, ...each }) => each);
  const before = await ctx.db.adaptiveReplica.findMany();
  await ctx.db.adaptiveReplica.updateMany({ data: { services: older } });
  await expect(predict({ roundTripMs: 9 })).rejects.toMatchObject({
    ...{ code: "conflict", message: expect.stringContaining("No requests were measured") },
  });
  for (const { replicaId, services } of before)
    await ctx.db.adaptiveReplica.update({ where: { replicaId }, data: { services: services ?? [] } });
});

it("rejects other strategies, exposures without reports, and installations without a simulator", async () => {
  const { exposure, pool } = await createTestExposure(ctx, { name: "other" });
  const change = whatIfChange.parse({ roundTripMs: 9 });
  await expect(predictWhatIf(ctx, exposure.id, change)).rejects.toMatchObject({
    ...{ code: "conflict", message: expect.stringContaining("this one has ecmp") },
  });
  await ctx.db.exposure.update({
    where: { id: exposure.id },
    data: { strategy: "adaptive", parameters: { poolId: pool.id } },
  });
  await expect(predictWhatIf(ctx, exposure.id, change)).rejects.toMatchObject({
    ...{ code: "conflict", message: expect.stringContaining("No agent has reported figures of this exposure yet") },
  });
  await expect(predictWhatIf({ ...ctx, simulator: undefined }, exposureId, change)).rejects.toMatchObject({
    code: "unavailable",
  });
});
