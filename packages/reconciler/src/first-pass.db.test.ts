import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import type { ExposureDriver } from "@fairlead/drivers";
import { createMetrics, silentLog } from "@fairlead/telemetry";
import { afterAll, beforeAll, expect, it } from "vitest";
import { exposureReconciler, loopMetrics, startLoop, trackPresence } from "./index.ts";
import { createFleet } from "./testing/fleet.ts";
import { testKeysBox } from "./testing/test-keys-box.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ connections: 8 });
});
afterAll(() => database.drop());

it("an existing instance has its balancer created in the first pass, not in the next one", async () => {
  const { db } = database;
  const fleet = await createFleet(db);
  const sets: (string | null)[][] = [];
  const instances = [{ name: "redis-0", ready: true }];
  const driver: ExposureDriver = {
    supports: () => true,
    async set({ loadBalancers }) {
      sets.push(loadBalancers.map((each) => each.instance));
      return { changes: [], problems: [] };
    },
    listInstances: async () => instances,
    observe: async () => ({ loadBalancers: [], instances }),
  };
  const loop = await startLoop({
    db,
    listenUrl: database.url,
    reconcilers: [exposureReconciler(() => driver, { presence: trackPresence(), keysBox: testKeysBox })],
    log: silentLog,
    metrics: loopMetrics(createMetrics(), db),
  });
  try {
    await fleet.expose({ strategy: { type: "per-replica", addressing: "dedicated" } });
    await expect.poll(() => sets[0], { timeout: 60_000 }).toEqual(["redis-0"]);
    expect(await db.loadBalancer.count()).toBe(1);
  } finally {
    await loop.stop();
  }
});
