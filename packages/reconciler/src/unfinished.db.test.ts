import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import type { ExposureDriver, SetExposure } from "@fairlead/drivers";
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

it("an exposure that takes several passes shows its state after each, and reports once when all is applied", async () => {
  const { db } = database;
  const fleet = await createFleet(db);
  const passes: SetExposure[] = [
    { changes: [{ message: "made one" }], problems: [], isUnfinished: true },
    { changes: [{ message: "made two" }], problems: [], isUnfinished: true },
    { changes: [{ message: "made three" }], problems: [] },
  ];
  const digests: (string | undefined)[] = [];
  const driver: ExposureDriver = {
    supports: () => true,
    async set({ id }) {
      digests.push((await db.exposureStatus.findUnique({ where: { exposureId: id } }))?.appliedDigest);
      return passes.shift() ?? { changes: [], problems: [] };
    },
    listInstances: async () => [],
    observe: async () => ({ loadBalancers: [], instances: [] }),
  };
  const loop = await startLoop({
    db,
    listenUrl: database.url,
    reconcilers: [exposureReconciler(() => driver, { presence: trackPresence(), keysBox: testKeysBox })],
    log: silentLog,
    metrics: loopMetrics(createMetrics(), db),
  });
  try {
    const id = await fleet.expose();
    const applied = async () =>
      (await db.exposureStatus.findUnique({ where: { exposureId: id } }))?.appliedDigest ?? "";
    await expect.poll(applied, { timeout: 60_000 }).not.toBe("");
    // A spec that was not fully applied yet can't have been damaged.
    expect(digests.slice(0, 3)).toEqual(["", "", ""]);
    const events = await db.event.findMany({ where: { subjectId: id, reason: { in: ["Applied", "Corrected"] } } });
    expect(events.map((each) => each.message)).toEqual(["Changed in fra-01: made three."]);
  } finally {
    await loop.stop();
  }
});
