import { deleteExposure, updateExposure } from "@fairlead/services";
import { createTestNode } from "@fairlead/services/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { killedAt } from "./testing/killed-at.ts";
import { type Stage, setStage } from "./testing/stage.ts";
import { until } from "./testing/until.ts";

// Each step is the last that a real controller process completes before it kills itself. Then another one starts.

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.close());

const operations = (exposureId: string) =>
  stage.world.journal.filter((each) => each.exposureId === exposureId).map((each) => each.operation);
const applied = (subjectId: string) => stage.database.db.event.count({ where: { subjectId, reason: "Applied" } });

describe("killing the controller between any two steps loses nothing and creates nothing twice", () => {
  const makingSteps = [
    "claimed",
    "loaded",
    "intended",
    "set",
    "observed",
    "recording",
    "recorded",
    "reconciled",
    "finished",
  ];
  it.each(makingSteps)("while it creates an exposure, after %s", async (step) => {
    const id = await stage.expose();
    await killedAt(stage, step, id);
    const survivor = await stage.loop();
    await stage.converged();
    await survivor.stop();
    expect(operations(id)).toEqual(["create"]);
    const status = await stage.database.db.exposureStatus.findUnique({ where: { exposureId: id } });
    expect(status).toMatchObject({ phase: "serving", observedGeneration: 1, applied: true });
    expect(await applied(id)).toBe(1);
  });

  it("in the middle of a set, when half of it is created", async () => {
    const id = await stage.expose({ strategy: { type: "per-replica", addressing: "dedicated", drainSeconds: 0 } });
    stage.world.setInstances(
      id,
      [0, 1, 2].map((n) => ({ name: `redis-${n}`, ready: true })),
    );
    const child = await stage.child({ leaseMs: 500 });
    stage.world.faults.add({
      operation: "created",
      exposureId: id,
      times: 1,
      onMet: child.kill,
      does: { type: "hang" },
    });
    expect(await child.ended).toBe("SIGKILL");
    const survivor = await stage.loop();
    await stage.converged();
    await survivor.stop();
    expect(operations(id)).toEqual(["create", "create", "create"]);
  });

  it("after a set that was not recorded, when the exposure is deleted next", async () => {
    const id = await stage.expose();
    await killedAt(stage, "set", id);
    await deleteExposure(stage.ctx, id);
    const survivor = await stage.loop();
    await until("its row is gone", async () => (await stage.database.db.exposure.count({ where: { id } })) === 0);
    await survivor.stop();
    expect(operations(id)).toEqual(["create", "remove"]);
  });

  const changingSteps = ["loaded", "set", "recording", "recorded"];
  it.each(changingSteps)("while it follows a changed spec, after %s", async (step) => {
    const id = await stage.expose();
    const first = await stage.loop();
    await stage.converged();
    await first.stop();
    await updateExposure(stage.ctx, id, { ports: [{ port: 8443, protocol: "tcp" }] });
    await killedAt(stage, step, id);
    const survivor = await stage.loop();
    await stage.converged();
    await survivor.stop();
    expect(operations(id)).toEqual(["create", "update"]);
    expect(stage.world.balancersOf(id)[0]?.ports).toEqual([{ port: 8443, targetPort: 8443, protocol: "tcp" }]);
    const status = await stage.database.db.exposureStatus.findUnique({ where: { exposureId: id } });
    expect(status?.observedGeneration).toBe(2);
    expect(await applied(id)).toBe(2);
  });

  it("while it follows a changed spec that is then changed back, which is no correction", async () => {
    const id = await stage.expose();
    const first = await stage.loop();
    await stage.converged();
    await first.stop();
    await updateExposure(stage.ctx, id, { ports: [{ port: 8443, protocol: "tcp" }] });
    await killedAt(stage, "set", id);
    await updateExposure(stage.ctx, id, { ports: [{ port: 443, protocol: "tcp" }] });
    const survivor = await stage.loop();
    await stage.converged();
    await survivor.stop();
    expect(operations(id)).toEqual(["create", "update", "update"]);
    expect(await applied(id)).toBe(2);
    expect(await stage.database.db.event.count({ where: { subjectId: id, reason: "Corrected" } })).toBe(0);
  });

  const removingSteps = ["loaded", "set to nothing", "seen nothing", "removing", "removed", "reconciled", "finished"];
  it.each(removingSteps)("while it removes an exposure, after %s", async (step) => {
    const id = await stage.expose();
    const first = await stage.loop();
    await stage.converged();
    await first.stop();
    await deleteExposure(stage.ctx, id);
    await killedAt(stage, step, id);
    const survivor = await stage.loop();
    await until("nothing of it is left", async () => {
      const { db } = stage.database;
      const [rows, tasks] = await Promise.all([
        db.exposure.count({ where: { id } }),
        db.reconcileTask.count({ where: { objectId: id } }),
      ]);
      return rows + tasks === 0;
    });
    await survivor.stop();
    expect(operations(id)).toEqual(["create", "remove"]);
    expect(await stage.database.db.event.count({ where: { subjectId: id, reason: "ExposureRemoved" } })).toBe(1);
  });

  const nodeSteps = ["claimed", "storing", "stored", "finished"];
  it.each(nodeSteps)("while it compiles a node's config, after %s", async (step) => {
    const { db } = stage.database;
    const { nodeId, agentId } = await createTestNode(stage.ctx, stage.clusterId, { name: `node-${step}` });
    await db.reconcileTask.create({ data: { kind: "node", objectId: nodeId, dueAt: new Date() } });
    await killedAt(stage, step, nodeId);
    const survivor = await stage.loop();
    await stage.converged();
    await survivor.stop();
    const config = await db.nodeConfig.findUniqueOrThrow({ where: { agentId } });
    // The test's node started with an empty config at revision 1; if it was compiled twice, it would be at 3.
    expect(config).toMatchObject({ revision: 2, config: { reportIntervalMs: 5000 } });
  });
});
