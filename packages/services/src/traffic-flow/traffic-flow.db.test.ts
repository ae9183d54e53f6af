import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import { type TrafficFlow, trafficFlow } from "@fairlead/domain/traffic-flow";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { ServiceContext } from "../context.ts";
import { updateExposure } from "../exposure/index.ts";
import { writeSamples } from "../gateway/report/balancer/client-sample.sql.ts";
import {
  createTestExposure,
  createTestOrganization,
  createTestRouting,
  insertTestSamples,
  type TestRouting,
} from "../testing/index.ts";
import { sweepSamples } from "./client-samples.sql.ts";
import { getExposureFlow, getFleetFlow } from "./index.ts";

let database: TestDatabase;
let ctx: ServiceContext;
let exposureId: string;
let poolId: string;
let loadBalancerId: string;
let routing: TestRouting;
let replicas: { id: string; nodeId: string; agentId: string }[];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** An exposure that samples its clients, with two ready replicas behind one router, and one backend. */
beforeEach(async () => {
  ctx = await createTestOrganization(database.db);
  const { db, now } = ctx;
  const { cluster, exposure, pool } = await createTestExposure(ctx);
  exposureId = exposure.id;
  poolId = pool.id;
  await sampleClients(true);
  ({ id: loadBalancerId } = await db.loadBalancer.findFirstOrThrow({ where: { exposureId } }));
  await db.replica.deleteMany({ where: { loadBalancerId } });
  routing = await createTestRouting(ctx, cluster.id, 2);
  await db.announcement.updateMany({ where: { clusterId: cluster.id }, data: { loadBalancerId } });
  replicas = [];
  for (const [ordinal, { nodeId, agentId, hop }] of routing.speakers.entries()) {
    const id = newId("replica");
    await db.replica.create({ data: { id, loadBalancerId, agentId, nodeId, ordinal } });
    await db.replicaStatus.create({ data: { replicaId: id, nodeId, ready: true, observedAt: now } });
    await db.balancerStatus.create({ data: { agentId, address: hop, observedAt: now } });
    replicas.push({ id, nodeId, agentId });
  }
  const seen = { state: "active", health: "up", observedAt: now };
  const backend = { id: newId("backend"), loadBalancerId, instance: "web-1", protocol: "tcp", address: "10.8.0.1" };
  await db.backend.create({ data: { ...backend, port: 8443, ...seen } });
  await insertTestSamples(
    ctx,
    replicas.flatMap(({ nodeId, agentId }, i) =>
      [loadBalancerId, backend.id, nodeId].map((subjectId) => ({
        ...{ subjectId, metric: "throughputBps" as const, labels: { agent: agentId } },
        points: steady((i + 1) * 15e6),
      })),
    ),
  );
});

/** Reports of the last minute, of which the first may be missing. */
function steady(value: number, fromMs = -59_000, toMs = 0) {
  const points: [afterMs: number, value: number][] = [[-90_000, 9e9]]; // too old
  for (let afterMs = fromMs; afterMs < toMs; afterMs += 5_000) points.push([afterMs, value]);
  return points;
}

const sampleClients = (on: boolean) =>
  updateExposure(ctx, exposureId, { strategy: { type: "ecmp", replicas: 2, poolId, sampleClients: on } });

const report = (
  networks: [string, number][],
  other: { problem?: string; otherBps?: number; agoMs?: number; replicas?: number } = {},
) =>
  writeSamples(
    ctx.db,
    replicas.slice(0, other.replicas ?? 2).map(({ id: replicaId, agentId }) => ({
      ...{ replicaId, agentId, problem: other.problem ?? "", seconds: 60, oneIn: 1, otherBps: other.otherBps ?? 0 },
      networks: networks.map(([prefix, throughputBps]) => ({ prefix, throughputBps, packetsPerSecond: 1 })),
    })),
    new Date(ctx.now.getTime() - (other.agoMs ?? 0)),
  );

function drawn(flow: TrafficFlow) {
  expect(trafficFlow.parse(flow)).toEqual(flow);
  const names = new Map(flow.places.map(({ key, name, kind }) => [key, name || kind]));
  return {
    places: flow.places.map(({ name, kind, throughputBps, state }) => [name || kind, throughputBps, state]),
    links: flow.links.map(({ from, to, throughputBps }) => [names.get(from), names.get(to), throughputBps]),
  };
}

it("measures an exposure's traffic from client networks to backends", async () => {
  await report([["203.0.113.0/24", 9e6]], { otherBps: 1e6 });
  const flow = await getExposureFlow(ctx, exposureId);
  expect(flow).toMatchObject({ isSampled: true, problems: [], overMs: 60_000 });
  expect(drawn(flow)).toEqual({
    places: [
      ["203.0.113.0/24", 18e6, "none"],
      ["other-networks", 2e6, "none"],
      ["not-sampled", 25e6, "none"],
      ["tor-1", 45e6, "up"],
      ["lb-1", 15e6, "up"],
      ["lb-2", 30e6, "up"],
      ["web-1", 45e6, "up"],
    ],
    links: expect.arrayContaining([
      ["203.0.113.0/24", "tor-1", 18e6],
      ["other-networks", "tor-1", 2e6],
      ["not-sampled", "tor-1", 25e6],
      ["tor-1", "lb-1", 15e6],
      ["tor-1", "lb-2", 30e6],
      ["lb-1", "web-1", 15e6],
      ["lb-2", "web-1", 30e6],
    ]),
  });
});

it("measures the traffic of all exposures, by node", async () => {
  await report([["203.0.113.0/24", 9e6]]);
  const figures = { phase: "degraded", backendsUp: 3, backendsTotal: 4, observedAt: ctx.now };
  await ctx.db.loadBalancerStatus.upsert({
    where: { loadBalancerId },
    create: { loadBalancerId, ...figures },
    update: figures,
  });
  const flow = await getFleetFlow(ctx);
  expect(flow.places.at(-1)).toMatchObject({ id: exposureId, kind: "backends", backends: { up: 3, total: 4 } });
  expect(drawn(flow)).toEqual({
    places: [
      ["203.0.113.0/24", 18e6, "none"],
      ["not-sampled", 27e6, "none"],
      ["tor-1", 45e6, "up"],
      ["lb-1", 15e6, "up"],
      ["lb-2", 30e6, "up"],
      ["shop", 45e6, "pending"],
      ["shop", 45e6, "degraded"],
    ],
    links: expect.arrayContaining([
      ["tor-1", "lb-2", 30e6],
      ["lb-2", "shop", 30e6],
      ["lb-1", "shop", 15e6],
      ["shop", "shop", 45e6],
    ]),
  });
  expect((await getFleetFlow(await createTestOrganization(database.db))).places).toEqual([]);
});

it("shows a router that lost a route, and one without our agent", async () => {
  const states = async () => {
    const { places } = await getExposureFlow(ctx, exposureId);
    return places.filter((each) => each.column === "router").map(({ id, name, state }) => [id !== null, name, state]);
  };
  await routing.route([], ctx.now);
  expect(await states()).toEqual([[true, "tor-1", "down"]]);
  expect((await getFleetFlow(ctx)).places.find((each) => each.column === "router")).toMatchObject({ state: "down" });
  await ctx.db.agent.updateMany({ where: { roles: { has: "router" } }, data: { roles: ["node"] } });
  expect(await states()).toEqual([[false, "", "up"]]);
  expect(drawn(await getFleetFlow(ctx)).links).toContainEqual(["router", "lb-1", 15e6]);
});

it("returns client networks only to who may read addresses, while they are recent", async () => {
  await report([["203.0.113.0/24", 9e6]], { problem: "It is slow." });
  const withoutMap = {
    ...ctx,
    actor: { kind: "user", id: "usr_1", name: "Vera", role: "viewer", denied: ["map:read"] },
  } as const;
  const hidden = await getExposureFlow(withoutMap, exposureId);
  expect(JSON.stringify([hidden, await getFleetFlow(withoutMap)])).not.toContain("203.0.113");
  expect(hidden).toMatchObject({ isSampled: false, problems: [] });
  expect(hidden.places[0]).toMatchObject({ kind: "clients", throughputBps: 45e6 });
  expect((await getExposureFlow(ctx, exposureId)).problems).toEqual(["lb-1, lb-2: It is slow."]);
  await report([["203.0.113.0/24", 9e6]], { agoMs: 200_000 });
  expect((await getExposureFlow(ctx, exposureId)).isSampled).toBe(false);
});

it("deletes client networks when sampling is switched off, and stores no late report", async () => {
  await report([["203.0.113.0/24", 9e6]]);
  const stored = () => ctx.db.clientSample.count({ where: { replica: { loadBalancerId } } });
  expect(await stored()).toBe(2);
  await sampleClients(false);
  expect(await stored()).toBe(0);
  await report([["203.0.113.0/24", 9e6]]);
  expect(await stored()).toBe(0);
});

it("doesn't count traffic twice that moved from one replica to another", async () => {
  const [first, second] = replicas;
  const move = { subjectId: loadBalancerId, metric: "dropsPerSecond" as const };
  await insertTestSamples(ctx, [
    { ...move, labels: { agent: first?.agentId ?? "", reason: "fragment" }, points: steady(40, -59_000, -30_000) },
    { ...move, labels: { agent: second?.agentId ?? "", reason: "fragment" }, points: steady(40, -29_000) },
  ]);
  const { places } = await getExposureFlow(ctx, exposureId);
  const drops = places.filter((each) => each.column === "replica").map((each) => each.dropsPerSecond ?? 0);
  expect(drops.map(Math.round)).toEqual([20, 20]);
});

it("shows a router of the cluster's routing that has no agent", async () => {
  const { clusterId } = await ctx.db.exposure.findUniqueOrThrow({ where: { id: exposureId } });
  const routers = [1, 2].map((n) => ({ name: `tor-${n}`, address: `10.0.0.25${n}`, asn: 65_021 }));
  await ctx.db.cluster.update({
    where: { id: clusterId },
    data: { routing: { asn: 65_021, balancers: ["10.0.0.0/24"], routers } },
  });
  const { places, links } = await getExposureFlow(ctx, exposureId);
  expect(
    places.filter((each) => each.column === "router").map(({ name, throughputBps }) => [name, throughputBps]),
  ).toEqual([
    ["", null],
    ["tor-1", null],
  ]);
  expect(links.filter((each) => each.to.startsWith("replica/")).every((each) => each.throughputBps === null)).toBe(
    true,
  );
});

it("forgets the sample of a replica that moved, or whose agent no longer reports", async () => {
  await report([["203.0.113.0/24", 9e6]], { replicas: 1 });
  const [first, second] = replicas;
  await ctx.db.replica.update({ where: { id: first?.id ?? "" }, data: { agentId: second?.agentId ?? "" } });
  expect((await getExposureFlow(ctx, exposureId)).isSampled).toBe(false);
  expect(await ctx.db.clientSample.count({ where: { replicaId: first?.id ?? "" } })).toBe(1);
  await sweepSamples(ctx.db, new Date(ctx.now.getTime() + 200_000));
  expect(await ctx.db.clientSample.count({ where: { replicaId: first?.id ?? "" } })).toBe(0);
});

it("needs the permissions for everything that it shows", async () => {
  const narrow = (denied: string) =>
    ({
      ...ctx,
      actor: { kind: "user", id: "usr_1", name: "Vera", role: "viewer", denied: [denied] },
    }) as ServiceContext;
  for (const denied of ["cluster:read", "node:read", "exposure:read", "series:read"]) {
    await expect(getExposureFlow(narrow(denied), exposureId)).rejects.toThrow();
    await expect(getFleetFlow(narrow(denied))).rejects.toThrow();
  }
});
