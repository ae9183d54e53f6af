import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import type { ObservedExposure } from "@fairlead/domain/exposure";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ServiceContext } from "../context.ts";
import { createTestExposure, createTestOrganization } from "../testing/index.ts";
import { recordObservedExposure } from "./index.ts";

const many = 400;
let database: TestDatabase;
let ctx: ServiceContext;
let exposureId: string;
let ids: string[];
const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms);

beforeAll(async () => {
  database = await createTestDatabase();
  ctx = await createTestOrganization(database.db);
  const { exposure } = await createTestExposure(ctx);
  exposureId = exposure.id;
  ids = Array.from({ length: many }, () => newId("loadBalancer"));
  const { organizationId } = ctx;
  await database.db.loadBalancer.createMany({
    data: ids.map((id, i) => ({
      ...{ id, organizationId, exposureId, clusterId: exposure.clusterId },
      ...{ name: `app-${i}`, instance: `app-${i}`, kind: "cloud" },
    })),
  });
});
afterAll(() => database.drop());

/** Many balancers, each with one pod; one of them has another pod each time. */
function seen(turn: number): ObservedExposure {
  return {
    generation: 1,
    phase: "serving",
    message: "Serving.",
    conditions: [{ type: "Ready", status: "true", reason: "Serving", message: "Serving." }],
    applied: true,
    loadBalancers: ids.map((id, i) => {
      const inside = i === 7 ? `10.1.0.${turn}` : `10.0.${i >> 8}.${i & 255}`;
      const instance = `app-${i}`;
      const end = { instance, protocol: "tcp" as const };
      return {
        ...{ id, phase: "serving", message: "", address: `192.0.2.${i & 255}`, replicas: [] },
        backends: [{ ...end, address: inside, port: 80, weight: 1, state: "active", health: "up" }],
        mappings: [
          {
            ...{ ...end, pod: instance, node: "node-1", ready: true, internalAddress: inside, internalPort: 80 },
            ...{ externalAddress: `192.0.2.${i & 255}`, externalPort: 80 + (i >> 8) },
          },
        ],
      };
    }),
  };
}

async function ages(): Promise<Record<string, number>> {
  const [statuses, backends, mappings] = await Promise.all([
    database.db.loadBalancerStatus.findMany({ select: { observedAt: true } }),
    database.db.backend.findMany({ select: { observedAt: true } }),
    database.db.addressMapping.findMany({ select: { observedAt: true } }),
  ]);
  const all = [...statuses, ...backends, ...mappings].map((each) => each.observedAt.getTime() - at(0).getTime());
  return Object.fromEntries([...Map.groupBy(all, (each) => each)].map(([age, own]) => [age, own.length]));
}

it("of many balancers writes those that changed, and only now and then the observation time of the others", async () => {
  await recordObservedExposure(database.db, exposureId, seen(1), at(0));
  expect(await ages()).toEqual({ 0: 3 * many });
  // So soon after the last pass, updating the observation time of all others would be most of the work.
  await recordObservedExposure(database.db, exposureId, seen(2), at(1_000));
  expect(await ages()).toEqual({ 0: 3 * (many - 1), 1000: 3 });
  await recordObservedExposure(database.db, exposureId, seen(3), at(2_500));
  expect(await ages()).toEqual({ 2500: 3 * many });
  const [{ mapGeneration } = { mapGeneration: 0 }] = await database.db.exposureStatus.findMany({
    where: { exposureId },
  });
  expect(mapGeneration).toBe(3);
  expect(await database.db.addressMappingChange.count({ where: { exposureId } })).toBe(many + 2);
});
