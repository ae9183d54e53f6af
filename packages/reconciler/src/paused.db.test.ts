import {
  createExposure,
  getExposure,
  markDirty,
  pauseExposure,
  resumeExposure,
  updateExposure,
} from "@fairlead/services";
import { createTestCluster, testSpec } from "@fairlead/services/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Stage, setStage } from "./testing/stage.ts";
import { until } from "./testing/until.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.close());

const nowContext = () => ({ ...stage.ctx, now: new Date() });
const shown = (id: string) => getExposure(stage.ctx, id);
const operations = (id: string) => stage.world.journal.filter((each) => each.exposureId === id).length;

/** Waits until a pass has ended that began after this call. */
async function pass(id: string): Promise<void> {
  const before = (await shown(id)).observedAt ?? new Date(0);
  await markDirty(stage.database.db, "exposure", id, { urgent: true });
  await until("it is observed again", async () => ((await shown(id)).observedAt ?? before) > before);
}

async function pause(id: string): Promise<void> {
  await pauseExposure(nowContext(), id);
  await until("the pause is confirmed", async () =>
    (await shown(id)).conditions.some(({ type, status }) => type === "Paused" && status === "true"),
  );
}

describe("a paused exposure of a driver", () => {
  it("is observed and not repaired; resuming it repairs it", async () => {
    await stage.loop();
    const id = await stage.expose();
    await stage.converged();
    await pause(id);
    const before = operations(id);
    stage.world.damage(id);
    await pass(id);
    expect(operations(id)).toBe(before);
    expect(stage.world.balancersOf(id)).toEqual([]);
    expect(await shown(id)).toMatchObject({ phase: "pending", generation: 1, observedGeneration: 1 });
    await resumeExposure(nowContext(), id);
    await stage.converged();
    expect(await shown(id)).toMatchObject({ phase: "serving", conditions: [{ type: "Ready" }] });
    const events = await stage.database.db.event.findMany({ where: { subjectId: id, reason: "Corrected" } });
    expect(events).toHaveLength(1);
  });

  it("keeps what its former spec created until it is resumed", async () => {
    await stage.loop();
    const id = await stage.expose();
    await stage.converged();
    await pause(id);
    const [before] = stage.world.balancersOf(id);
    await updateExposure(nowContext(), id, { ports: [{ port: 8443, protocol: "tcp" }] });
    await pass(id);
    expect(stage.world.balancersOf(id)).toEqual([before]);
    expect(await shown(id)).toMatchObject({ generation: 2, observedGeneration: 1, phase: "serving" });
    await resumeExposure(nowContext(), id);
    await until("the new port is open", async () => stage.world.balancersOf(id)[0]?.ports[0]?.port === 8443);
    await until("it is reported", async () => (await shown(id)).observedGeneration === 2);
  });

  it("exposes no new instance, and keeps the load balancer of a missing one", async () => {
    await stage.loop();
    const strategy = {
      type: "per-replica" as const,
      addressing: "dedicated" as const,
      keepSeconds: 0,
      drainSeconds: 0,
    };
    const id = await stage.expose({ strategy });
    const runs = (names: string[]) =>
      stage.world.setInstances(
        id,
        names.map((name) => ({ name, ready: true })),
      );
    runs(["shop-0", "shop-1"]);
    await markDirty(stage.database.db, "exposure", id, { urgent: true });
    const exposed = () =>
      stage.world
        .balancersOf(id)
        .map((each) => each.instance)
        .sort();
    await until("both are exposed", async () => exposed().length === 2);
    await stage.converged();
    await pause(id);
    runs(["shop-1", "shop-2"]);
    await pass(id);
    expect(exposed()).toEqual(["shop-0", "shop-1"]);
    await resumeExposure(nowContext(), id);
    await until("the instances of now are exposed", async () => exposed().join() === "shop-1,shop-2");
  });

  it("is not created before it is resumed", async () => {
    const { pool } = await createTestCluster(stage.ctx, "192.0.2.0/24", "kubernetes");
    const { id } = await createExposure(nowContext(), testSpec(pool, { strategy: { type: "cloud", provider: "aws" } }));
    await pauseExposure(nowContext(), id);
    await stage.loop();
    await pass(id);
    expect(operations(id)).toBe(0);
    await resumeExposure(nowContext(), id);
    await stage.converged();
    expect(stage.world.balancersOf(id)).toHaveLength(1);
  });
});
