import { createExposure, deleteExposure, markDirty } from "@fairlead/services";
import { createTestCluster, createTestNode, testSpec } from "@fairlead/services/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { killedAt } from "./testing/killed-at.ts";
import { type Stage, setStage } from "./testing/stage.ts";
import { until } from "./testing/until.ts";

// As for what drivers make: each step is the last that a real controller process completes before it kills itself.

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.close());

type Carried = { id: string; nodeId: string; agentId: string };

/** expose creates an exposure of one instance in a lab of its own, with one agent that may carry it. */
async function expose(): Promise<Carried> {
  const ctx = { ...stage.ctx, now: new Date() };
  const { cluster, pool } = await createTestCluster(ctx);
  const node = await createTestNode(ctx, cluster.id, { roles: ["balancer"] });
  await stage.database.db.$executeRaw`
    INSERT INTO instance (id, organization_id, cluster_id, name, workload, node_name, addresses, ready, source, changed_at)
    VALUES (${`ins_${cluster.id}`}, ${ctx.organizationId}, ${cluster.id}, 'shop-1', 'shop', 'node-1', '{10.8.0.1}', true, ${node.agentId}, now())`;
  const { id } = await createExposure(
    ctx,
    testSpec(pool, { strategy: { type: "ecmp", replicas: 1, poolId: pool.id } }),
  );
  return { id, ...node };
}

const configOf = (agentId: string) => stage.database.db.nodeConfig.findUniqueOrThrow({ where: { agentId } });

async function servicesOf(agentId: string): Promise<unknown[]> {
  const { config } = await configOf(agentId);
  return (config as { balancer?: { services: unknown[] } }).balancer?.services ?? [];
}

/** takeIn reports that the agent runs its newest config. */
async function takeIn(agentId: string): Promise<void> {
  const { revision, digest } = await configOf(agentId);
  const reported = { observedRevision: revision, observedDigest: digest, lastReportAt: new Date() };
  await stage.database.db.nodeStatus.update({ where: { agentId }, data: reported });
}

const isForgotten = async (id: string) => {
  const { db } = stage.database;
  const [rows, tasks] = await Promise.all([
    db.exposure.count({ where: { id } }),
    db.reconcileTask.count({ where: { objectId: id } }),
  ]);
  return rows + tasks === 0;
};

/** carried runs a controller until the config is stored, and stops it. */
async function carried(): Promise<Carried> {
  const exposure = await expose();
  const first = await stage.loop();
  await until("it is in the config", async () => (await servicesOf(exposure.agentId)).length > 0);
  await first.stop();
  await takeIn(exposure.agentId);
  return exposure;
}

/** forgotten runs another controller to finish what a killed one left of a deleted exposure, and checks the result. */
async function forgotten({ id, agentId }: Carried): Promise<void> {
  const survivor = await stage.loop();
  await until("it has left the config", async () => (await servicesOf(agentId)).length === 0);
  await takeIn(agentId);
  await until("nothing of it is left", () => isForgotten(id));
  await survivor.stop();
  const { db } = stage.database;
  expect(await db.virtualAddress.count({ where: { loadBalancer: { exposureId: id } } })).toBe(0);
  expect(await db.event.count({ where: { subjectId: id, reason: "ExposureRemoved" } })).toBe(1);
}

describe("killing the controller between any two steps loses nothing that our own agents carry", () => {
  const makingSteps = ["claimed", "deciding", "decided", "recording", "recorded", "reconciled", "finished"];
  it.each(makingSteps)("while it places an exposure, after %s", async (step) => {
    const { id, agentId } = await expose();
    await killedAt(stage, step, id);
    const survivor = await stage.loop();
    await until("it is made", async () => {
      const task = await stage.database.db.reconcileTask.findFirst({ where: { objectId: id } });
      return (
        (await servicesOf(agentId)).length > 0 && task?.lease === null && task.lastError === null && task.dueAt > soon()
      );
    });
    await survivor.stop();
    // The agent started with an empty config at revision 1; if a second controller decided differently, it would be at
    // 3.
    expect(await configOf(agentId)).toMatchObject({
      revision: 2,
      config: { balancer: { services: [{ exposureId: id, backends: [{ address: "10.8.0.1", state: "active" }] }] } },
    });
    const status = await stage.database.db.exposureStatus.findUnique({ where: { exposureId: id } });
    expect(status).toMatchObject({ phase: "pending", observedGeneration: 1, applied: true });
  });

  const leavingSteps = ["claimed", "deciding", "decided", "reconciled", "finished"];
  it.each(leavingSteps)("while an exposure leaves its agents, after %s", async (step) => {
    const exposure = await carried();
    await deleteExposure(stage.ctx, exposure.id);
    await killedAt(stage, step, exposure.id);
    expect(await stage.database.db.exposure.count({ where: { id: exposure.id } })).toBe(1);
    await forgotten(exposure);
  });

  it.each(leavingSteps)("while it deletes one that has left them, after %s", async (step) => {
    const exposure = await carried();
    await deleteExposure(stage.ctx, exposure.id);
    const second = await stage.loop();
    await until("it has left the config", async () => (await servicesOf(exposure.agentId)).length === 0);
    await second.stop();
    await takeIn(exposure.agentId);
    await markDirty(stage.database.db, "exposure", exposure.id);
    await killedAt(stage, step, exposure.id);
    await forgotten(exposure);
  });
});

/** A task due within the minute is not at rest: a resync is minutes away. */
function soon(): Date {
  return new Date(Date.now() + 60_000);
}
