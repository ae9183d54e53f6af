import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import { queryRouteDelays as queryInput } from "@fairlead/domain/routing";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ServiceContext } from "../context.ts";
import { createTestCluster, createTestOrganization } from "../testing/index.ts";
import { queryRouteDelays } from "./query-route-delays.sql.ts";
import { sweepUpdates, updateRetentionMs } from "./sweep-updates.sql.ts";

let database: TestDatabase;
let ctx: ServiceContext;
let clusterId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = await createTestOrganization(database.db);
  clusterId = (await createTestCluster(ctx)).cluster.id;
});
afterAll(() => database.drop());

const noon = new Date("2026-11-01T12:00:00Z");
const at = (minutes: number) => new Date(noon.getTime() + minutes * 60_000);

async function took(of: ServiceContext, inCluster: string, minutes: number, phases: object, isWithdrawal = false) {
  const { organizationId } = of;
  const update = { prefix: "192.0.2.1/32", nextHop: "10.0.0.1", isWithdrawal, beganAt: at(minutes), steps: [], phases };
  await database.db.routeUpdate.create({
    data: { id: newId("routeUpdate"), organizationId, clusterId: inCluster, ...update },
  });
}

const delays = async (from: number, to: number, more: object = { clusterId }) =>
  (await queryRouteDelays(ctx, queryInput.parse({ from: at(from), to: at(to), ...more }))).delays;

it("counts by phase and direction what began in the span, including its first moment and excluding its last", async () => {
  await took(ctx, clusterId, 0, { write: 0.4, converge: 3 });
  await took(ctx, clusterId, 10, { write: 0.6 });
  await took(ctx, clusterId, 20, { write: 40 }, true);
  const seen = await delays(0, 20);
  expect(seen.map(({ phase, isWithdrawal, count, msMax }) => [phase, isWithdrawal, count, msMax])).toEqual([
    ["write", false, 2, 0.6],
    ["converge", false, 1, 3],
  ]);
  for (const { buckets, count, msP50, msP99, msMax } of seen) {
    expect(buckets.reduce((sum, each) => sum + each, 0)).toBe(count);
    expect(msP50).toBeLessThanOrEqual(msP99);
    expect(msP99).toBeLessThanOrEqual(msMax);
  }
  expect((await delays(10, 21)).map(({ isWithdrawal, count }) => [isWithdrawal, count])).toEqual([
    [false, 1],
    [true, 1],
  ]);
});

it("adds updates that are only kept as hourly counts, by the hour that they began in", async () => {
  const inHour = await delays(0, 60);
  await sweepUpdates(database.db, new Date(at(5).getTime() + updateRetentionMs.update)); // the first of them
  expect(await database.db.routeUpdate.count()).toBe(2);
  expect(await delays(0, 60)).toEqual(inHour);
  expect((await delays(30, 60)).map(({ phase, count }) => [phase, count])).toEqual([
    ["write", 1],
    ["converge", 1],
  ]);
  expect(await delays(60, 120)).toEqual([]);
});

it("counts nothing of another cluster or organisation", async () => {
  const { cluster } = await createTestCluster(ctx);
  await took(ctx, cluster.id, 70, { write: 1 });
  const others = await createTestOrganization(database.db);
  const theirs = (await createTestCluster(others)).cluster.id;
  await took(others, theirs, 70, { write: 1 });
  expect(await delays(60, 120)).toEqual([]);
  expect(await delays(60, 120, { clusterId: cluster.id })).toMatchObject([{ phase: "write", count: 1 }]);
  expect(await delays(60, 120, {})).toMatchObject([{ phase: "write", count: 1 }]);
  await expect(delays(60, 120, { clusterId: theirs })).rejects.toMatchObject({ code: "not-found" });
});
