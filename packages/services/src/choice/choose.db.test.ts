import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import { type ChooseInput, choice as choiceSchema, choose as chooseSchema } from "@fairlead/domain/choice";
import type { ConditionReason } from "@fairlead/domain/event";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { updateCluster } from "../cluster/index.ts";
import type { ServiceContext } from "../context.ts";
import { importPrices } from "../cost/index.ts";
import { createExposure } from "../exposure/index.ts";
import {
  createTestCluster,
  createTestNode,
  createTestOrganization,
  insertTestSamples,
  type TestNode,
  testSpec,
} from "../testing/index.ts";
import { choose } from "./index.ts";

let database: TestDatabase;
let ctx: ServiceContext;
/** A lab with a balancer, and a Kubernetes cluster that isn't attached. */
let lab: Awaited<ReturnType<typeof createTestCluster>>;
let bare: Awaited<ReturnType<typeof createTestCluster>>;
let balancer: TestNode;

beforeAll(async () => {
  database = await createTestDatabase();
  const price = {
    provider: "aws",
    region: "eu-central-1",
    unit: "hour",
    fromUnits: 0,
    per: 1,
    currency: "USD",
  } as const;
  const dated = { asOf: "2020-01-01", source: "https://example.com", confidence: "published" } as const;
  const points = [{ ...price, ...dated, sku: "c7g.large", micros: 80_000 }];
  await importPrices(database.db, { name: "t", points }, new Date());
});
afterAll(() => database.drop());

beforeEach(async () => {
  ctx = await createTestOrganization(database.db);
  lab = await createTestCluster(ctx);
  bare = await createTestCluster(ctx, "2001:db8::/64", "kubernetes");
  balancer = await createTestNode(ctx, lab.cluster.id, { name: "lb-1", roles: ["balancer"] });
  const facts = { cpuCount: 4, interfaces: [{ name: "eth0", up: true, speedBps: 10e9 }] };
  await ctx.db.nodeStatus.update({ where: { agentId: balancer.agentId }, data: { facts } });
});

const run = async (input: ChooseInput, by = ctx) => {
  const answer = await choose(by, chooseSchema.parse(input));
  expect(choiceSchema.parse(answer)).toEqual(answer);
  return answer;
};
/** What is known of one requirement, by candidate. */
const evidence = async (
  requirement: keyof ChooseInput["requirements"],
  wanted: object,
  more: Partial<ChooseInput> = {},
) => {
  const { items } = await run({ ...more, requirements: { [requirement]: wanted } });
  return new Map(items.map(({ id, evidence: [first] }) => [id, first]));
};
const report = (metric: "throughputBps" | "connectionsLive" | "latencyMsP99", value: number, agoMs = 1_000) =>
  insertTestSamples(ctx, [
    { subjectId: balancer.nodeId, metric, labels: { agent: balancer.agentId }, points: [[-agoMs, value]] },
  ]);

it("knows what a cluster can offer from its pools, kind and balancers", async () => {
  const family = await evidence("addressFamily", { family: "ipv6" });
  expect(family.get(lab.cluster.id)).toMatchObject({ result: "unmet", text: "IPv4" });
  expect(family.get(bare.cluster.id)).toMatchObject({ result: "met", text: "IPv6", points: 100 });
  const map = await evidence("perInstanceMap", {});
  expect(map.get(lab.cluster.id)).toMatchObject({ result: "met" });
  expect(map.get(bare.cluster.id)).toMatchObject({ result: "unmet", source: expect.stringContaining("not attached") });
  const session = await evidence("tlsPersistence", {});
  expect(session.get(lab.cluster.id)).toMatchObject({ result: "met", source: "Strategy session" });
  await ctx.db.nodeStatus.update({
    where: { agentId: balancer.agentId },
    data: { lastReportAt: new Date(Date.now() - 60_000) },
  });
  expect((await evidence("tlsPersistence", {})).get(lab.cluster.id)).toMatchObject({
    ...{ result: "unmet", source: "No agent with the role balancer reports" },
  });
});

it("doesn't offer the address family of a full pool", async () => {
  const full = await createTestCluster(ctx, "192.0.2.7/32");
  await createExposure(ctx, testSpec(full.pool));
  const family = await evidence("addressFamily", { family: "ipv4" });
  expect(family.get(full.cluster.id)).toMatchObject({ result: "unmet", text: "None" });
});

it("subtracts the present load from the measured capacity, and says so", async () => {
  expect((await evidence("headroomMbps", { atLeast: 1 })).get(lab.cluster.id)).toMatchObject({
    ...{ result: "unknown", source: "The balancer on lb-1 reports no throughput", ageSeconds: null },
  });
  await report("throughputBps", 2_500e6, 7_000);
  await report("connectionsLive", 1_000);
  // Four cores carry more than the link does.
  expect((await evidence("headroomMbps", { atLeast: 7_500 })).get(lab.cluster.id)).toMatchObject({
    ...{ result: "met", value: 7_500, unit: "Mbit/s", ageSeconds: 7, points: 50 },
    source: expect.stringMatching(/^Capacity \(11,500 Mbit\/s for each of 4 cores of 1 balancer/),
  });
  const connections = await evidence("headroomConnections", { atLeast: 1_000 });
  expect(connections.get(lab.cluster.id)).toMatchObject({ result: "met", value: 399_000 });
  expect(connections.get(bare.cluster.id)).toMatchObject({ result: "unknown" });
});

it("has latency from balancers, from a node, or from the caller", async () => {
  await report("latencyMsP99", 3);
  const other = await createTestNode(ctx, lab.cluster.id, { name: "app-1" });
  const labels = { agent: other.agentId, node: balancer.nodeId };
  const points = [
    [-9_000, 31],
    [-5_000, 2],
    [-1_000, 2],
  ] as const;
  await insertTestSamples(ctx, [{ subjectId: other.nodeId, metric: "roundTripMs", labels, points }]);
  const of = async (more: Partial<ChooseInput>) =>
    (await evidence("latencyMsP99", { atMost: 20 }, more)).get(lab.cluster.id);
  expect(await of({})).toMatchObject({ value: 3, source: expect.stringContaining("Set-up of connections") });
  expect(await of({ from: other.nodeId })).toMatchObject({ value: 31, result: "unmet", ageSeconds: 1 });
  const measured = [{ id: lab.cluster.id, latencyMsP99: 12, measuredAt: ctx.now.toISOString() }];
  expect(await of({ measured })).toMatchObject({ value: 12, source: "Measured by the caller", ageSeconds: 0 });
  expect((await evidence("latencyMsP99", { atMost: 20 }, { from: other.nodeId })).get(bare.cluster.id)).toMatchObject({
    ...{ result: "unknown", source: expect.stringContaining("No round trips from the node") },
  });
});

it("counts a figure as unknown once it is too old", async () => {
  await report("latencyMsP99", 3, 400_000);
  const of = async (more: Partial<ChooseInput>) =>
    (await evidence("latencyMsP99", { atMost: 20 }, more)).get(lab.cluster.id);
  expect(await of({})).toMatchObject({ result: "unknown", ageSeconds: 400, value: null });
  expect(await of({ maxAgeSeconds: 600 })).toMatchObject({ result: "met", value: 3 });
});

it("has prices by the cost model, and the reason where there is none", async () => {
  const unset = await evidence("hourlyPrice", { atMost: 1 });
  expect(unset.get(lab.cluster.id)).toMatchObject({ result: "unknown", source: expect.stringContaining('"Runs as"') });
  const runsAs = {
    provider: "aws",
    region: "eu-central-1",
    machine: "c7g.large",
    machineShare: 0.5,
    zones: 1,
  } as const;
  await updateCluster(ctx, lab.cluster.id, { runsAs: { ...runsAs, responseShare: null, internetShare: 0 } });
  expect((await evidence("hourlyPrice", { atMost: 1 })).get(lab.cluster.id)).toMatchObject({
    ...{ result: "met", value: 0.08, text: "$0.08" },
    source: "Price of one load balancer on 2 replicas, without traffic, by prices of your organisation",
  });
});

it("has availability from the events of exposures, once a day is known", async () => {
  const exposure = await createExposure(ctx, testSpec(lab.pool));
  const record = (reason: ConditionReason, daysAgo: number) =>
    ctx.db.event.create({
      data: {
        ...{
          id: newId("event"),
          organizationId: ctx.organizationId,
          clusterId: lab.cluster.id,
          severity: "info",
          reason,
        },
        ...{ message: "", subjectKind: "exposure", subjectId: exposure.id, subjectName: "shop" },
        at: new Date(ctx.now.getTime() - daysAgo * 86_400_000),
      },
    });
  await record("Serving", 0.5);
  const early = await evidence("availability", { atLeastPercent: 99 });
  expect(early.get(lab.cluster.id)).toMatchObject({
    result: "unknown",
    source: expect.stringContaining("Less than a day"),
  });
  await record("Serving", 40); // before the 30 days, in which it stays so until
  await record("Failed", 3);
  await record("PartlyServing", 1.5);
  ctx = { ...ctx, now: new Date(ctx.now.getTime() + 61_000) }; // what was calculated is kept for a minute
  for (const among of ["clusters", "exposures"] as const) {
    const known = await evidence("availability", { atLeastPercent: 99 }, { among });
    const found = known.get(among === "clusters" ? lab.cluster.id : exposure.id);
    expect(found).toMatchObject({ result: "unmet", source: "Events of 1 exposure, of 30 days" });
    expect(found?.value).toBeCloseTo(95, 1);
  }
});

it("has availability from the present condition, where events are missing", async () => {
  const { id } = await createExposure(ctx, testSpec(lab.pool));
  const since = (reason: ConditionReason, daysAgo: number) => {
    const ready = {
      type: "Ready",
      status: "true",
      reason,
      message: "",
      changedAt: new Date(ctx.now.getTime() - daysAgo * 86_400_000),
    };
    const status = { conditions: [ready], observedAt: ctx.now };
    return ctx.db.exposureStatus.upsert({
      where: { exposureId: id },
      create: { exposureId: id, ...status },
      update: status,
    });
  };
  const availability = async () => (await evidence("availability", { atLeastPercent: 99 })).get(lab.cluster.id);
  await since("Serving", 100); // its event is deleted by now
  expect(await availability()).toMatchObject({ result: "met", value: 100 });
  ctx = { ...ctx, now: new Date(ctx.now.getTime() + 61_000) };
  await ctx.db.event.create({
    data: {
      ...{ id: newId("event"), organizationId: ctx.organizationId, clusterId: lab.cluster.id, severity: "info" },
      ...{ reason: "NotServing", message: "", subjectKind: "exposure", subjectId: id, subjectName: "shop" },
      at: new Date(ctx.now.getTime() - 20 * 86_400_000),
    },
  });
  await since("Serving", 19); // it flapped, so its event was held back
  expect((await availability())?.value).toBeCloseTo(95, 0);
});

it("counts the cores of a node with several balancers once", async () => {
  const { nodeId, agentId } = balancer;
  const own = await ctx.db.agent.findUniqueOrThrow({ where: { id: agentId } });
  const status = await ctx.db.nodeStatus.findUniqueOrThrow({ where: { agentId } });
  const second = { ...own, id: newId("agent"), certificateSerial: "second" };
  await ctx.db.agent.create({ data: second });
  await ctx.db.nodeStatus.create({ data: { ...status, agentId: second.id, facts: { cpuCount: 4 } } });
  await insertTestSamples(
    ctx,
    [agentId, second.id].map((agent) => ({
      ...{ subjectId: nodeId, metric: "connectionsLive", labels: { agent } },
      points: [[0, 500]],
    })),
  );
  const connections = await evidence("headroomConnections", { atLeast: 1_000 });
  expect(connections.get(lab.cluster.id)).toMatchObject({ result: "met", value: 399_000 });
});

it("ranks exposures by what they are", async () => {
  const plain = await createExposure(ctx, testSpec(lab.pool, { labels: { tier: "gold" } }));
  const session = await createExposure(
    ctx,
    testSpec(lab.pool, { name: "tls", ports: [{ port: 443 }], strategy: { type: "session", poolId: lab.pool.id } }),
  );
  const answer = await run({
    among: "exposures",
    requirements: {
      tlsPersistence: { required: true },
      addressFamily: { family: "ipv4" },
      labels: { match: { tier: "gold" } },
    },
  });
  expect(answer).toMatchObject({ candidateCount: 2, eligibleCount: 1, winner: { id: session.id, name: "tls" } });
  expect(answer.items.map(({ id, isEligible, against }) => [id, isEligible, against])).toEqual([
    [session.id, true, ["Labels: None; preferred: tier=gold."]],
    [plain.id, false, ["TLS session persistence: No; required: yes."]],
  ]);
});

it("refuses what doesn't exist, times in the future, and actors without permission", async () => {
  const requirements = { perInstanceMap: {} };
  await expect(run({ requirements, from: newId("node") })).rejects.toMatchObject({
    code: "not-found",
    fields: [{ path: ["from"] }],
  });
  await expect(run({ requirements, clusterId: newId("cluster") })).rejects.toMatchObject({
    fields: [{ path: ["clusterId"] }],
  });
  const measuredAt = new Date(ctx.now.getTime() + 120_000);
  await expect(run({ requirements, measured: [{ id: "x", latencyMsP99: 1, measuredAt }] })).rejects.toMatchObject({
    ...{ code: "invalid", fields: [{ path: ["measured", 0, "measuredAt"] }] },
  });
  const key = { kind: "api-key", id: "key_1", name: "narrow", role: "owner", scopes: ["cluster:read"] } as const;
  await expect(run({ requirements }, { ...ctx, actor: { ...key, scopes: [...key.scopes] } })).rejects.toMatchObject({
    code: "forbidden",
  });
});

it("shows nothing of other organisations", async () => {
  const other = await createTestOrganization(database.db);
  expect(await run({ requirements: { perInstanceMap: {} } }, other)).toMatchObject({ candidateCount: 0, winner: null });
});
