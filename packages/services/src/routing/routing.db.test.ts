import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import { listEvents as listEventsInput } from "@fairlead/domain/event";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { ServiceContext } from "../context.ts";
import { recordDampedEvents } from "../control/record-damped-event.ts";
import { listEvents } from "../event/index.ts";
import {
  createTestCluster,
  createTestExposure,
  createTestNode,
  createTestOrganization,
  createTestRouting,
  insertTestSamples,
} from "../testing/index.ts";
import { getRoutingSummary, listAnnouncements, listBgpSessions, listRoutes } from "./index.ts";

let database: TestDatabase;
let ctx: ServiceContext;
let clusterId: string;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createTestOrganization(database.db);
  clusterId = (await createTestCluster(ctx)).cluster.id;
});

const page = { limit: 200, direction: "asc" } as const;

/** reportSessions stores an agent's report of sessions with so many peers, so long ago. */
async function reportSessions(
  agentId: string,
  peers: number,
  { agoMs = 0, state = "established", first = 0 } = {},
): Promise<void> {
  const { db, organizationId, now } = ctx;
  const observedAt = new Date(now.getTime() - agoMs);
  const status = { asn: 65_021, observedAt };
  await db.bgpStatus.upsert({ where: { agentId }, create: { agentId, ...status }, update: status });
  await db.bgpSession.createMany({
    data: Array.from({ length: peers }, (_, i) => ({
      id: newId("bgpSession"),
      organizationId,
      clusterId,
      agentId,
      peerAddress: `10.7.${Math.floor((first + i) / 250)}.${((first + i) % 250) + 1}`,
      peerAsn: 65_021,
      localAsn: 65_021,
      state,
      observedAt,
    })),
  });
}

it("counts all sessions, beyond one page", async () => {
  const { agentId } = await createTestNode(ctx, clusterId, { name: "rr-1", roles: ["reflector"] });
  await reportSessions(agentId, 204);
  await reportSessions(agentId, 3, { state: "idle", first: 204 });
  const listed = await listBgpSessions(ctx, { ...page, sort: "state", direction: "asc" });
  expect([listed.items.length, listed.total]).toEqual([200, 207]);
  const { sessions, topology } = await getRoutingSummary(ctx, { clusterId });
  expect(sessions).toEqual({ total: 207, up: 204, down: 3, stale: 0 });
  expect(topology.places.map(({ column, name, size }) => [column, name, size])).toEqual([
    ["router", "", 207],
    ["reflector", "rr-1", 1],
  ]);
  expect(topology.links).toMatchObject([{ up: 204, down: 3, stale: 0 }]);
  expect(topology.leftOut).toBe(0);
});

it("counts what a silent agent saw as stale, neither up nor down", async () => {
  const { agentId } = await createTestNode(ctx, clusterId, { name: "rr-1", roles: ["reflector"] });
  await reportSessions(agentId, 2, { agoMs: 60_000 });
  const { sessions, topology } = await getRoutingSummary(ctx, {});
  expect(sessions).toEqual({ total: 2, up: 0, down: 0, stale: 2 });
  expect(topology.links).toMatchObject([{ stale: 1 }, { stale: 1 }]);
  expect((await listBgpSessions(ctx, { ...page, sort: "state" })).items).toMatchObject([
    { isStale: true },
    { isStale: true },
  ]);
  const found = async (filter: object) => (await listBgpSessions(ctx, { ...page, sort: "state", ...filter })).total;
  const { agentId: current } = await createTestNode(ctx, clusterId, { name: "rr-2", roles: ["reflector"] });
  await reportSessions(current, 1);
  await reportSessions(current, 3, { state: "active", first: 1 });
  expect([await found({ isStale: true }), await found({ isStale: false })]).toEqual([2, 4]);
  expect([await found({ isEstablished: true }), await found({ isEstablished: false })]).toEqual([3, 3]);
  expect(await found({ isEstablished: false, isStale: true })).toBe(0);
});

it("finds prefixes by an address that they contain, and by the exact prefix", async () => {
  const { speakers } = await createTestRouting(ctx, clusterId, 2);
  const found = async (filter: object) => [
    (await listAnnouncements(ctx, { ...page, sort: "prefix", ...filter })).total,
    (await listRoutes(ctx, { ...page, sort: "prefix", ...filter })).total,
  ];
  expect(speakers).toHaveLength(2);
  expect(await found({ covers: "192.0.2.1" })).toEqual([2, 1]);
  expect(await found({ prefix: "192.0.2.1/32" })).toEqual([2, 1]);
  expect(await found({ prefix: "192.0.2.0/24" })).toEqual([0, 0]);
  expect([await found({ isStale: false }), await found({ isStale: true })]).toEqual([
    [2, 1],
    [0, 0],
  ]);
});

it("splits flows by the kernel's weights, and by what balancers measured over the last minute", async () => {
  const { db, now } = ctx;
  const { cluster, exposure } = await createTestExposure(ctx);
  const { speakers } = await createTestRouting(ctx, cluster.id, 2);
  const { id: loadBalancerId } = await db.loadBalancer.findFirstOrThrow({ where: { exposureId: exposure.id } });
  await db.replica.deleteMany({ where: { loadBalancerId } });
  await db.announcement.updateMany({ where: { clusterId: cluster.id }, data: { loadBalancerId } });
  const weights = [3, 1];
  const nextHops = speakers.map(({ hop }, i) => ({ address: hop, weight: weights[i], since: now }));
  await db.route.updateMany({ where: { clusterId: cluster.id }, data: { nextHops } });
  const [before] = (await listRoutes(ctx, { ...page, sort: "prefix" })).items;
  expect(before?.nextHops).toMatchObject([
    { weight: 3, share: 0.75, throughputBps: null, measuredShare: null, measuredAt: null },
    { weight: 1, share: 0.25, throughputBps: null, measuredShare: null, measuredAt: null },
  ]);
  for (const [i, { nodeId, hop }] of speakers.entries()) {
    const agentId = newId("agent");
    const beside = await db.agent.findFirstOrThrow({ where: { nodeId } });
    await db.agent.create({ data: { ...beside, id: agentId, roles: ["balancer"], certificateSerial: agentId } });
    await db.balancerStatus.create({ data: { agentId, address: hop, observedAt: now } });
    await db.replica.create({ data: { id: newId("replica"), loadBalancerId, agentId, nodeId, ordinal: i } });
    const labels = { agent: agentId };
    const points = [
      [-90_000, 900e6], // too old
      [-20_000, (i + 1) * 10e6],
      [-10_000, (i + 1) * 20e6],
    ] as const;
    await insertTestSamples(ctx, [
      { subjectId: loadBalancerId, metric: "throughputBps", labels, points },
      { subjectId: nodeId, metric: "throughputBps", labels, points },
    ]);
  }
  const [route] = (await listRoutes(ctx, { ...page, sort: "prefix" })).items;
  expect(route?.nextHops.map(({ throughputBps, measuredShare }) => [throughputBps, measuredShare])).toEqual([
    [15e6, 1 / 3],
    [30e6, 2 / 3],
  ]);
  expect(route?.nextHops[0]?.measuredAt).toEqual(new Date(now.getTime() - 10_000));
  // The samples of each load balancer are readable too: equal figures would join it to its address.
  const withoutMap = {
    ...ctx,
    actor: { kind: "user", id: "usr_1", name: "Vera", role: "viewer", denied: ["map:read"] },
  } as const;
  const [hidden] = (await listRoutes(withoutMap, { ...page, sort: "prefix" })).items;
  expect(hidden?.nextHops).toMatchObject([
    { weight: 3, share: 0.75, throughputBps: null, measuredShare: null, measuredAt: null },
    { weight: 1, share: 0.25, throughputBps: null, measuredShare: null, measuredAt: null },
  ]);
});

it("gives a session that never was up the reason that its other end reported", async () => {
  const speaker = await createTestNode(ctx, clusterId, { name: "lb-1", roles: ["speaker"] });
  const reflector = await createTestNode(ctx, clusterId, { name: "rr-1", roles: ["reflector"] });
  const routing = {
    asn: 65_021,
    balancers: ["10.0.0.0/24"],
    reflectors: [{ name: "rr-1", address: "10.7.0.1" }],
    routers: [],
  };
  await ctx.db.cluster.update({ where: { id: clusterId }, data: { routing } });
  await reportSessions(speaker.agentId, 1, { state: "active" });
  const trouble = async () => (await listBgpSessions(ctx, { ...page, sort: "state" })).items[0]?.trouble;
  const recordEventOf = (node: { nodeId: string }, reason: string, message: string) =>
    recordDampedEvents(ctx.db, [
      {
        organizationId: ctx.organizationId,
        clusterId,
        at: ctx.now,
        severity: "warning",
        reason,
        message,
        subjectKind: "node",
        subjectId: node.nodeId,
        subjectName: "",
      },
    ]);
  expect(await trouble()).toBe("");
  await recordEventOf(
    speaker,
    "BgpSessionNotUp",
    "lb-1: There has been no BGP session with 10.7.0.1 of AS 65021 for 15s: the peer has not answered.",
  );
  expect(await trouble()).toContain("the peer has not answered");
  await recordEventOf(reflector, "BgpPasswordWrong", "rr-1: The peer uses another TCP MD5 password.");
  expect(await trouble()).toContain("another TCP MD5 password");
  await ctx.db.bgpSession.updateMany({ where: { clusterId }, data: { state: "established" } });
  expect(await trouble()).toBe("");
});

it("filters events by topic, and by the address they name", async () => {
  const { nodeId } = await createTestNode(ctx, clusterId, { name: "lb-1" });
  const event = (reason: string, message: string) => ({
    reason,
    message,
    organizationId: ctx.organizationId,
    clusterId,
    at: ctx.now,
    severity: "info" as const,
    subjectKind: "node" as const,
    subjectId: nodeId,
    subjectName: "lb-1",
  });
  await recordDampedEvents(
    ctx.db,
    [
      event("Announced", "192.0.2.1/32 is announced."),
      event("NotAnnouncedFlapping", "192.0.2.10/32 flaps."),
      event("BgpSessionNotUp", "No session with 192.0.2.1."),
      event("AgentSilent", "It is silent."),
    ],
    { byMessage: true },
  );
  const reasonsFound = async (filter: object) =>
    (await listEvents(ctx, listEventsInput.parse(filter))).items.map(({ reason }) => reason).sort();
  expect(await reasonsFound({ topic: "routing" })).toEqual(["Announced", "BgpSessionNotUp", "NotAnnouncedFlapping"]);
  expect(await reasonsFound({ topic: "routing", mentions: "192.0.2.1" })).toEqual(["Announced", "BgpSessionNotUp"]);
  expect(await reasonsFound({ mentions: "192.0.2.10/32" })).toEqual(["NotAnnouncedFlapping"]);
});
