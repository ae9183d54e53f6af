import { inTransaction } from "@fairlead/db";
import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { startExperiment as startExperimentInput } from "@fairlead/domain/experiment";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { ServiceContext } from "../context.ts";
import {
  createTestCluster,
  createTestOrganization,
  createTestRouting,
  insertTestSamples,
  type TestRouting,
} from "../testing/index.ts";
import { getExperiment, lookAtExperiment, readExperimentSeries, startExperiment } from "./index.ts";

let database: TestDatabase;
let ctx: ServiceContext;
let routing: TestRouting;
let id: string;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createTestOrganization(database.db);
  const clusterId = (await createTestCluster(ctx)).cluster.id;
  routing = await createTestRouting(ctx, clusterId, 3);
  const spec = { clusterId, changeEverySeconds: 10, durationSeconds: 72_000, seed: 3 };
  ({ id } = await startExperiment(ctx, startExperimentInput.parse(spec)));
});

const after = (ms: number) => new Date(ctx.now.getTime() + ms);
const look = (ms: number) => inTransaction(ctx.db, (tx) => lookAtExperiment(tx, id, after(ms)));
const read = (ms: number, maxPoints = 300) => readExperimentSeries({ ...ctx, now: after(ms) }, { id, maxPoints });

it("shows what was requested and what kernels had, from the beginning on", async () => {
  await look(500);
  await look(10_000);
  const { drained } = await getExperiment(ctx, id);
  const left = routing.speakers.filter(({ agentId }) => !drained.includes(agentId));
  await routing.route(left, after(10_008));
  await look(10_250);
  const { from, to, desired, routed } = await read(12_000);
  expect([from, to]).toEqual([ctx.now, after(12_000)]);
  expect(desired).toEqual([
    { at: ctx.now, replicaCount: 3 },
    { at: after(10_000), replicaCount: left.length },
  ]);
  expect(routed).toEqual([
    { at: ctx.now, replicas: routing.speakers.map((each) => each.agentId), replicaCount: 3 },
    { at: after(10_008), replicas: left.map((each) => each.agentId), replicaCount: left.length },
  ]);
});

it("sums what the balancers of the cluster carry, and no others", async () => {
  const other = await createTestRouting(ctx, (await createTestCluster(ctx, "198.51.100.0/24")).cluster.id, 1);
  const samplesOf = (nodeId: string | undefined, value: number) => ({
    subjectId: nodeId ?? "",
    metric: "throughputBps" as const,
    labels: { agent: `of ${nodeId}` },
    points: Array.from({ length: 12 }, (_, i) => [i * 10_000, value] as const),
  });
  const [one, two] = routing.speakers;
  await insertTestSamples(ctx, [
    samplesOf(one?.nodeId, 1e6),
    samplesOf(two?.nodeId, 2e6),
    samplesOf(other.speakers[0]?.nodeId, 4e6),
  ]);
  const { throughputBps, requestsPerSecond } = await read(115_000);
  expect(throughputBps.length).toBeGreaterThan(10);
  expect([...new Set(throughputBps.map((each) => each.value))]).toEqual([3e6]);
  expect(requestsPerSecond).toEqual([]);
});

it("stays within its bounds after twenty hours, and ends with the current state", async () => {
  const agents = routing.speakers.map((each) => each.agentId);
  await ctx.db.$executeRaw`
    INSERT INTO experiment_step (id, organization_id, experiment_id, kind, at, replicas, number)
    SELECT kind || n, ${ctx.organizationId}, ${id}, kind, ${ctx.now}::timestamptz + n * interval '2 s',
      (${agents}::text[])[1:1 + n % 3], CASE kind WHEN 'requested' THEN n END
    FROM generate_series(1, 36000) AS n, unnest(ARRAY['requested', 'observed']) AS kind`;
  const { desired, routed } = await read(72_100_000, 1_000);
  expect([desired.length, routed.length]).toEqual([1_000, 1_000]);
  expect(desired.at(-1)).toEqual({ at: after(72_000_000), replicaCount: 1 });
  expect(routed.at(-1)).toEqual({ at: after(72_000_000), replicas: agents.slice(0, 1), replicaCount: 1 });
  expect(routed.every((each, i) => each.at > (routed[i - 1]?.at ?? 0))).toBe(true);
});

it("has fewer steps where each has very many replicas", async () => {
  const many = Array.from({ length: 1_000 }, (_, i) => ({
    agentId: `agt_${i}`,
    nodeId: `node_${i}`,
    nodeName: "",
    hops: {},
  }));
  await ctx.db.experiment.update({ where: { id }, data: { replicas: many } });
  await ctx.db.$executeRaw`
    INSERT INTO experiment_step (id, organization_id, experiment_id, kind, at, replicas)
    SELECT ${id} || n, ${ctx.organizationId}, ${id}, 'observed', ${ctx.now}::timestamptz + n * interval '2 s', ${many.map((each) => each.agentId)}
    FROM generate_series(1, 200) AS n`;
  expect((await read(500_000, 1_000)).routed).toHaveLength(20);
});

it("is not readable by another organisation", async () => {
  const otherOwner = await createTestOrganization(database.db);
  await expect(readExperimentSeries(otherOwner, { id, maxPoints: 300 })).rejects.toMatchObject({ code: "not-found" });
});
