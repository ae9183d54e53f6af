import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { startMove as startInput } from "@fairlead/domain/move";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createExposure } from "../exposure/index.ts";
import { sweepRecords } from "../retention/index.ts";
import { createTestClusters, createTestOrganization, testSpec } from "../testing/index.ts";
import { startMove } from "./start.ts";
import { moveRetentionMs } from "./sweep.sql.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it("deletes moves that ended long ago with their history, and none that runs or is recent", async () => {
  const { db } = database;
  const ctx = await createTestOrganization(db);
  const { own, west, pool, serve } = await createTestClusters(ctx);
  const { id: exposureId } = await createExposure(ctx, testSpec(pool));
  await serve(exposureId, own.id);
  const { id } = await startMove(ctx, startInput.parse({ exposureId, clusterId: west.id }));
  const end = (endedAt: Date | null) => db.move.update({ where: { id }, data: { endedAt } });
  const ago = (ms: number) => new Date(ctx.now.getTime() - ms);
  expect(await sweepRecords(db, ctx.now)).toBe(0);
  await end(ago(moveRetentionMs - 60_000));
  expect(await sweepRecords(db, ctx.now)).toBe(0);
  await end(ago(moveRetentionMs + 1));
  expect(await sweepRecords(db, ctx.now)).toBe(2);
  expect([await db.move.count({ where: { id } }), await db.moveStep.count({ where: { moveId: id } })]).toEqual([0, 0]);
});
