import { createAddressPool, createExposure, markDirty } from "@fairlead/services";
import { testSpec } from "@fairlead/services/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Stage, setStage } from "../../testing/stage.ts";
import { until } from "../../testing/until.ts";

const dayMs = 24 * 3_600_000;
let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.close());

const epochs = async () =>
  (await stage.database.db.sessionKey.findMany({ orderBy: { epoch: "asc" } })).map((each) => each.epoch);
const age = (ms: number) => stage.database.db.sessionKey.updateMany({ data: { createdAt: new Date(Date.now() - ms) } });

/** mark marks the cluster many times at once, and waits until it is reconciled. */
async function mark(): Promise<void> {
  const { db } = stage.database;
  await Promise.all(Array.from({ length: 10 }, () => markDirty(db, "cluster", stage.clusterId)));
  await until(
    "the cluster is reconciled",
    async () => (await db.reconcileTask.count({ where: { kind: "cluster" } })) === 0,
  );
}

it("several controllers create one key a day, and keep two", async () => {
  for (let controller = 0; controller < 3; controller++) await stage.loop();
  await mark();
  expect(await epochs()).toEqual([]); // no exposure needs one

  const pool = await createAddressPool(stage.ctx, {
    ...{ clusterId: stage.clusterId, name: "public", prefix: "192.0.2.0/24", note: "" },
  });
  const strategy = { type: "session", poolId: pool.id } as const;
  await createExposure(stage.ctx, testSpec(pool, { ports: [{ port: 443 }], strategy }));
  await until("there is a key", async () => (await epochs()).length > 0);
  await mark();
  expect(await epochs()).toEqual([1]);
  for (const expected of [
    [1, 2],
    [2, 3],
  ]) {
    await age(dayMs);
    await mark();
    await mark();
    expect(await epochs()).toEqual(expected);
  }
});
