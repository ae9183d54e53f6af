import { setTimeout as sleep } from "node:timers/promises";
import { inTransaction } from "@fairlead/db";
import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { recordObservedExposure, type ServiceContext } from "@fairlead/services";
import { createTestExposure, createTestOrganization } from "@fairlead/services/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import type { Identity } from "../context.ts";
import { addressHeader, createTestApi, type TestApi } from "./test-api.ts";

type Seen = { externalAddress?: string; ready?: boolean };

/** MapStage is an exposure whose map is read over REST. */
export type MapStage = {
  database: TestDatabase;
  owner: ServiceContext;
  api: TestApi;
  /** Of the exposure, and of its load balancer. */
  id: string;
  loadBalancerId: string;
  /** see records a reconciliation that found an instance behind each of these external addresses. */
  see: (...instances: Seen[]) => Promise<void>;
  get: (query?: string, init?: RequestInit, as?: Identity) => Promise<Response>;
  setAccess: (json: object) => Promise<Response>;
};

/** onMapStage gives each test of a file a new exposure, and checks afterwards that no fault was reported. */
export function onMapStage(enter: (stage: MapStage) => void): void {
  let database: TestDatabase;
  let api: TestApi;
  beforeAll(async () => {
    database = await createTestDatabase({ connections: 12 });
  });
  beforeEach(async () => {
    const owner = await createTestOrganization(database.db);
    const ports = [{ name: "redis", port: 7000, targetPort: 6379 }];
    const { id } = (await createTestExposure(owner, { ports })).exposure;
    const { id: loadBalancerId } = await owner.db.loadBalancer.findFirstOrThrow({ where: { exposureId: id } });
    api = createTestApi(owner, { maps: { mostOfOrganization: 5 } });
    const path = `/exposures/${id}/mappings`;
    enter({
      ...{ database, owner, api, id, loadBalancerId },
      see: (...instances) => see(owner, { id, loadBalancerId }, instances),
      get: (query = "", init = {}, as = owner) => api.fetch(as, `${path}${query}`, init),
      setAccess: (json) => api.fetch(owner, `${path}/access`, { method: "PATCH", json }),
    });
  });
  afterEach(() => {
    expect(api.faults).toEqual([]);
    api.close();
  });
  afterAll(() => database.drop());
}

async function see(
  { db }: ServiceContext,
  { id, loadBalancerId }: Pick<MapStage, "id" | "loadBalancerId">,
  instances: Seen[],
): Promise<void> {
  const mappings = instances.map(({ externalAddress = "192.0.2.1", ready = true }, n) => ({
    ...{ instance: `redis-${n}`, pod: `redis-${n}`, node: "node-a", protocol: "tcp" as const },
    ...{ internalAddress: `10.0.0.${n + 1}`, internalPort: 6379, externalAddress, externalPort: 7000, ready },
  }));
  const balancer = { phase: "serving" as const, message: "", address: null, replicas: [], backends: [], mappings };
  const observed = { generation: 1, phase: "serving" as const, message: "", conditions: [], applied: true };
  const whole = { ...observed, loadBalancers: [{ id: loadBalancerId, ...balancer }] };
  await inTransaction(db, (tx) => recordObservedExposure(tx, id, whole, new Date()));
}

export const from = (address: string) => ({ headers: { [addressHeader]: address } });

export const detail = async (response: Response) => ((await response.json()) as { detail: string }).detail;

/** until waits for a condition; a test that waits in vain times out. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(2);
}
