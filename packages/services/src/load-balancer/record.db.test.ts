import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestExposure, createTestOrganization } from "../testing/index.ts";
import { type LoadBalancerFinding, recordLoadBalancers } from "./index.ts";

const many = 400;
let database: TestDatabase;
let ids: string[];
const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms);

beforeAll(async () => {
  database = await createTestDatabase();
  const ctx = await createTestOrganization(database.db);
  const { exposure } = await createTestExposure(ctx);
  ids = Array.from({ length: many }, () => newId("loadBalancer"));
  const { organizationId } = ctx;
  await database.db.loadBalancer.createMany({
    data: ids.map((id, i) => ({
      ...{ id, organizationId, exposureId: exposure.id, clusterId: exposure.clusterId },
      ...{ name: `app-${i}`, instance: `app-${i}`, kind: "fairlead" },
    })),
  });
});
afterAll(() => database.drop());

/** All have the same state, except the eighth. */
function findings(eighth: Partial<LoadBalancerFinding> = {}): LoadBalancerFinding[] {
  return ids.map((id, i) => ({
    ...{ id, phase: "serving", message: "", address: null, replicasReady: 2, backendsUp: 1, backendsTotal: 1 },
    ...(i === 7 ? eighth : {}),
  }));
}

async function ages(): Promise<Record<string, number>> {
  const all = await database.db.loadBalancerStatus.findMany({ select: { observedAt: true } });
  const ms = all.map((each) => each.observedAt.getTime() - at(0).getTime());
  return Object.fromEntries([...Map.groupBy(ms, (each) => each)].map(([age, own]) => [age, own.length]));
}

it("returns the balancers whose state changed, and writes only those", async () => {
  const { db } = database;
  expect(await recordLoadBalancers(db, [], at(0))).toEqual(new Set());
  expect(await recordLoadBalancers(db, findings(), at(0))).toEqual(new Set(ids));
  expect(await recordLoadBalancers(db, findings(), at(1_000))).toEqual(new Set());
  for (const eighth of [{ phase: "degraded" }, { phase: "degraded", address: "192.0.2.1" }, { backendsUp: 0 }] as const)
    expect(await recordLoadBalancers(db, findings(eighth), at(1_500))).toEqual(new Set(ids.slice(7, 8)));
  expect(await ages()).toEqual({ 0: many - 1, 1500: 1 });
  const [id = ""] = ids.slice(7, 8);
  const stored = await db.loadBalancerStatus.findUnique({ where: { loadBalancerId: id } });
  expect(stored).toMatchObject({ phase: "serving", address: null, backendsUp: 0 });
});

it("also updates the others when their last update is long enough ago", async () => {
  // 400 balancers may be two seconds behind.
  expect(await recordLoadBalancers(database.db, findings({ backendsUp: 0 }), at(2_500))).toEqual(new Set());
  expect(await ages()).toEqual({ 1500: 1, 2500: many - 1 });
});
