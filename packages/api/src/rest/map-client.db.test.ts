import { setTimeout as sleep } from "node:timers/promises";
import { AddressMapper, type MapChange } from "@fairlead/client";
import { inTransaction } from "@fairlead/db";
import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { createApiKey, recordObservedExposure, type ServiceContext } from "@fairlead/services";
import { createTestExposure, createTestOrganization } from "@fairlead/services/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { createTestApi, type TestApi } from "../testing/index.ts";
import { type Served, serveFetch } from "../testing/serve-fetch.ts";

// The published client against the control plane itself: they must agree on the protocol.
let database: TestDatabase;
let owner: ServiceContext;
let api: TestApi;
let served: Served;
let exposureId: string;
let apiKey: string;
let mapper: AddressMapper;

beforeAll(async () => {
  database = await createTestDatabase({ connections: 12 });
});

beforeEach(async () => {
  owner = await createTestOrganization(database.db);
  ({ id: exposureId } = (
    await createTestExposure(owner, { ports: [{ name: "redis", port: 7000, targetPort: 6379 }] })
  ).exposure);
  const input = { name: "app", role: "viewer" as const, scopes: ["map:read" as const], requestsPerMinute: 600 };
  ({ key: apiKey } = await createApiKey(owner, { ...input, expiresAt: null }));
  await open();
  mapper = new AddressMapper({ url: served.url, exposureId, apiKey, waitSeconds: 60, onUnknown: "reject" });
});

afterEach(async () => {
  await mapper.stop();
  await close();
});

afterAll(() => database.drop());

async function open(port?: number): Promise<void> {
  api = createTestApi(owner);
  served = await serveFetch(api.handle, port);
}

async function close(): Promise<void> {
  expect(api.faults).toEqual([]);
  api.close();
  await served.close();
}

/** see records a reconciliation that found an instance behind each of these external addresses. */
async function see(...externalAddresses: string[]): Promise<void> {
  const { id } = await owner.db.loadBalancer.findFirstOrThrow({ where: { exposureId } });
  const mappings = externalAddresses.map((externalAddress, n) => ({
    ...{ instance: `redis-${n}`, pod: `redis-${n}`, node: "node-a", protocol: "tcp" as const, ready: true },
    ...{ internalAddress: `10.0.0.${n + 1}`, internalPort: 6379, externalAddress, externalPort: 7000 },
  }));
  const balancer = { phase: "serving" as const, message: "", address: null, replicas: [], backends: [], mappings };
  const observed = { generation: 1, phase: "serving" as const, message: "", conditions: [], applied: true };
  const whole = { ...observed, loadBalancers: [{ id, ...balancer }] };
  await inTransaction(owner.db, (tx) => recordObservedExposure(tx, exposureId, whole, new Date()));
}

/** until waits for a condition; a test that waits in vain times out. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(2);
}

const outside = () => mapper.map("10.0.0.1", 6379)?.host;

it("follows the map by waiting, with few requests", async () => {
  await see("192.0.2.1");
  const changes: MapChange[] = [];
  mapper.onChange((change) => changes.push(change));
  await mapper.start();
  expect(mapper.map("10.0.0.1", 6379)).toEqual({ host: "192.0.2.1", port: 7000 });
  for (const address of ["192.0.2.8", "192.0.2.9"]) {
    await until(() => api.maps.waiterCount === 1);
    await see(address);
    await until(() => outside() === address);
  }
  await until(() => api.maps.waiterCount === 1);
  expect(mapper.stats()).toMatchObject({ generation: 3, changes: 2, refreshes: { changed: 3, failed: 0 } });
  expect(changes.at(-1)?.changed[0]).toMatchObject({
    instance: "redis-0",
    pod: "redis-0",
    node: "node-a",
    ready: true,
  });
  expect(changes.at(-1)?.changed[0]?.ports).toEqual([
    { name: "redis", protocol: "tcp", internal: 6379, external: 7000 },
  ]);
});

it("gets 304 for its tag while nothing changed, however often it polls", async () => {
  await see("192.0.2.1");
  await mapper.start();
  await see("192.0.2.1");
  await mapper.refresh();
  expect(mapper.stats().refreshes).toEqual({ changed: 1, unchanged: 1, failed: 0 });
});

it("starts with an exposure that was not reconciled yet", async () => {
  await mapper.start();
  expect(outside()).toBeUndefined();
  await until(() => api.maps.waiterCount === 1);
  await see("192.0.2.1");
  await until(() => outside() === "192.0.2.1");
});

it("survives a restart of the control plane, and follows one that was restored from a backup", async () => {
  await see("192.0.2.1");
  await see("192.0.2.2");
  await mapper.start();
  const port = Number(new URL(served.url).port);
  await until(() => api.maps.waiterCount === 1);
  await close();
  await owner.db.addressMapping.deleteMany({ where: { exposureId } });
  await owner.db.exposureStatus.update({ where: { exposureId }, data: { mapGeneration: 0 } });
  await see("192.0.2.9");
  expect(outside()).toBe("192.0.2.2");
  await open(port);
  await until(() => outside() === "192.0.2.9");
  expect(mapper.stats()).toMatchObject({ generation: 1, restores: 1 });
});

it("reports the reason of a refusal, and keeps its map when it is refused later", async () => {
  await see("192.0.2.1");
  const wrongKey = new AddressMapper({ url: served.url, exposureId, apiKey: "fl_wrong" });
  await expect(wrongKey.start()).rejects.toMatchObject({ kind: "refused", status: 401 });
  await mapper.start();
  await owner.db.apiKey.updateMany({
    where: { organizationId: owner.organizationId },
    data: { revokedAt: new Date() },
  });
  await expect(mapper.refresh()).rejects.toMatchObject({ kind: "refused" });
  expect(outside()).toBe("192.0.2.1");
});
