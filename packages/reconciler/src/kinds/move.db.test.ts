import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { startMove as startInput } from "@fairlead/domain/move";
import { createExposure, getExposure, getMove, startMove } from "@fairlead/services";
import { createTestClusters, createTestOrganization, testSpec } from "@fairlead/services/testing";
import { silentLog } from "@fairlead/telemetry";
import { afterAll, beforeAll, expect, it } from "vitest";
import { moveReconciler } from "./move.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

class Killed extends Error {}

it.each(["moving", "moved"])(
  "continues from its row after its controller was killed while %s, at each step",
  async (at) => {
    const { db } = database;
    const ctx = await createTestOrganization(db);
    const { own, west, pool, serve } = await createTestClusters(ctx);
    const { id } = await createExposure(ctx, testSpec(pool));
    await serve(id, own.id);
    const input = startInput.parse({ exposureId: id, clusterId: west.id, steps: [5, 50, 100] });
    const { id: moveId } = await startMove(ctx, input);
    const lease = crypto.randomUUID();
    await db.reconcileTask.updateMany({ where: { kind: "move", objectId: moveId }, data: { lease } });
    const run = (seconds: number, killAt = "") =>
      moveReconciler.reconcile(moveId, {
        ...{ db, log: silentLog, signal: new AbortController().signal, countCorrections: () => {} },
        task: { kind: "move", objectId: moveId, lease } as never,
        now: () => new Date(ctx.now.getTime() + seconds * 1_000),
        async passed(step) {
          if (step === killAt) throw new Killed();
        },
      });
    const shares = async () => {
      const { clusterId, placements } = await getExposure(ctx, id);
      const target = placements.find((each) => each.clusterId === west.id)?.share;
      return target ?? (clusterId === west.id ? 100 : 0);
    };
    let before = 0;
    for (const [index, share] of [5, 50, 100].entries()) {
      const seconds = index * 61 + 1;
      await expect(run(seconds, at)).rejects.toBeInstanceOf(Killed);
      // Either the whole step is stored, or nothing of it.
      expect(await shares()).toBe(at === "moved" ? share : before);
      await run(seconds);
      await run(seconds);
      expect(await shares()).toBe(share);
      before = share;
      await serve(id, west.id);
      await run(seconds + 0.5);
    }
    expect(await run(200)).toEqual({ type: "gone" });
    const { state, history } = await getMove(ctx, moveId);
    expect(state).toBe("done");
    expect(history.map((each) => each.share)).toEqual([0, 5, 50, 100, 100]);
  },
);
