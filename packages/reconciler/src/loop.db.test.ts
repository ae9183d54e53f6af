import { isDriven, strategy as strategySchema } from "@fairlead/domain/exposure";
import { fakeExposureDriver } from "@fairlead/drivers/testing";
import { createAddressPool, deleteExposure, markDirty, updateExposure } from "@fairlead/services";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { exposureReconciler, trackPresence } from "./index.ts";
import { type Stage, setStage } from "./testing/stage.ts";
import { testKeysBox } from "./testing/test-keys-box.ts";
import { until } from "./testing/until.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.close());

const status = (id: string) => stage.database.db.exposureStatus.findUniqueOrThrow({ where: { exposureId: id } });
const task = (id: string) => stage.database.db.reconcileTask.findFirst({ where: { objectId: id } });
const reasons = async (id: string) => {
  const events = await stage.database.db.event.findMany({ where: { subjectId: id } });
  return events.map((each) => each.reason).sort();
};

describe("from a spec to the outside and back", () => {
  it("creates it, and records what it observed", async () => {
    await stage.loop();
    const id = await stage.expose();
    await stage.converged();
    expect(await status(id)).toMatchObject({ phase: "serving", observedGeneration: 1, applied: true });
    expect(stage.world.journal.map((each) => each.operation)).toEqual(["create"]);
    expect(await reasons(id)).toEqual(["Applied", "Serving"]);
    const [balancer] = await stage.database.db.loadBalancer.findMany({ include: { status: true, mappings: true } });
    expect(balancer?.status).toMatchObject({ phase: "serving", address: "203.0.113.1" });
    expect(balancer?.mappings).toHaveLength(1);
  });

  it("removes what is no longer requested, and then its row and its task", async () => {
    await stage.loop();
    const id = await stage.expose();
    await stage.converged();
    await deleteExposure(stage.ctx, id);
    await until("the row is gone", async () => (await stage.database.db.exposure.count()) === 0);
    expect(stage.world.balancersOf(id)).toEqual([]);
    await until("the task is gone", async () => (await task(id)) === null);
  });
});

describe("what a driver encounters", () => {
  it("a manual change is corrected, counted and reported", async () => {
    await stage.loop();
    const id = await stage.expose();
    await stage.converged();
    stage.world.damage(id);
    await markDirty(stage.database.db, "exposure", id);
    await stage.converged();
    expect(stage.world.balancersOf(id)).toHaveLength(1);
    expect(await reasons(id)).toEqual(["Applied", "Corrected", "Serving"]);
    expect(await stage.metrics.page()).toContain('fairlead_reconcile_corrections_total{kind="exposure"} 1');
  });

  it("a changed spec is no correction", async () => {
    await stage.loop();
    const id = await stage.expose();
    await stage.converged();
    await updateExposure(stage.ctx, id, { ports: [{ port: 8443, protocol: "tcp" }] });
    await stage.converged();
    expect(await reasons(id)).toEqual(["Applied", "Applied", "Serving", "SpecChanged"]);
    expect(await stage.metrics.page()).not.toContain("fairlead_reconcile_corrections_total{");
  });

  it("a transient fault is reported, retried and cleared", async () => {
    const id = await stage.expose();
    stage.world.faults.add({ operation: "create", times: 1, does: { type: "fail" } });
    await stage.loop({ random: () => 1 });
    await until("the failure is reported", async () => (await reasons(id)).includes("DriverFailed"));
    expect(await status(id)).toMatchObject({
      phase: "pending",
      message: "fra-01 could not be updated: the outside refused to create. It is retried.",
      applied: true,
    });
    await stage.converged();
    expect(await status(id)).toMatchObject({ phase: "serving", message: "Serving on 1 load balancer." });
  });

  it("an unreachable outside is reported like other transient faults, not as a database outage", async () => {
    const id = await stage.expose();
    stage.world.faults.add({ operation: "list", does: { type: "unreachable" } });
    await stage.loop({ random: () => 1 });
    await until("the failure is reported", async () => (await reasons(id)).includes("DriverFailed"));
    expect(await status(id)).toMatchObject({
      phase: "pending",
      message: "fra-01 could not be updated: the outside is unreachable. It is retried.",
    });
  });

  it("a refusal rests until the spec is changed", async () => {
    const id = await stage.expose();
    stage.world.faults.add({ operation: "create", times: 1, does: { type: "terminal" } });
    await stage.loop({ pollMs: 20 });
    await until("it rests", async () => (await task(id))?.resting === true);
    expect(await status(id)).toMatchObject({ phase: "failed", observedGeneration: 0 });
    expect(await reasons(id)).toEqual(["Refused"]);
    await stage.database.db.reconcileTask.updateMany({ where: { objectId: id }, data: { dueAt: new Date(0) } });
    const other = await stage.expose();
    await until("another is made", () => stage.world.balancersOf(other).length > 0);
    // A controller that claimed the other exposure would have claimed this one with it.
    expect(await task(id)).toMatchObject({ resting: true, attempts: 1, lease: null });
    expect(stage.world.balancersOf(id)).toEqual([]);
    await updateExposure(stage.ctx, id, { labels: { mended: "yes" } });
    await stage.converged();
    expect(await status(id)).toMatchObject({ phase: "serving", observedGeneration: 2 });
    expect((await task(id))?.lastError).toBeNull();
  });

  it("a flapping outside does not flood the events", async () => {
    await stage.loop();
    const id = await stage.expose();
    await stage.converged();
    for (let i = 0; i < 12; i++) {
      const before = stage.world.journal.length;
      stage.world.damage(id);
      await markDirty(stage.database.db, "exposure", id);
      await until("it is repaired", () => stage.world.journal.length > before);
      await stage.converged();
    }
    const recorded = await reasons(id);
    expect(recorded.filter((each) => each === "Corrected")).toHaveLength(3);
    expect(recorded.filter((each) => each === "CorrectedFlapping")).toHaveLength(1);
    expect(recorded.length).toBeLessThan(10);
  });

  it("each instance gets its balancer, which is kept for a while when the instance is gone", async () => {
    const instances = (...numbers: number[]) => numbers.map((n) => ({ name: `redis-${n}`, ready: true }));
    const names = (id: string) =>
      stage.world
        .balancersOf(id)
        .map((each) => each.name)
        .sort();
    await stage.loop();
    const id = await stage.expose({
      strategy: { type: "per-replica", addressing: "dedicated", keepSeconds: 2, drainSeconds: 0 },
    });
    await until("it waits for instances", async () => (await reasons(id)).includes("NoInstances"));
    stage.world.setInstances(id, instances(0, 1, 2));
    await markDirty(stage.database.db, "exposure", id);
    await stage.converged();
    expect(names(id)).toEqual(["redis-0", "redis-1", "redis-2"]);
    const goneAt = async () =>
      (await stage.database.db.loadBalancer.findFirst({ where: { exposureId: id, instance: "redis-1" } }))
        ?.instanceGoneAt;
    stage.world.setInstances(id, instances(0, 2));
    await markDirty(stage.database.db, "exposure", id);
    await until("its balancer waits for it", async () => (await goneAt()) instanceof Date);
    stage.world.setInstances(id, instances(0, 1, 2));
    await markDirty(stage.database.db, "exposure", id);
    await until("it is back", async () => (await goneAt()) === null);
    expect(names(id)).toEqual(["redis-0", "redis-1", "redis-2"]);
    stage.world.setInstances(id, instances(0, 2));
    await markDirty(stage.database.db, "exposure", id);
    await until("it has waited long enough", () => names(id).join() === "redis-0,redis-2");
    await stage.converged();
    const rows = await stage.database.db.loadBalancer.findMany({ where: { exposureId: id } });
    expect(rows.map((each) => each.instance).sort()).toEqual(["redis-0", "redis-2"]);
    expect(await status(id)).toMatchObject({ phase: "serving", message: "Serving on 2 load balancers." });
  });
});

describe("a cluster without a driver", () => {
  const withoutDriver = {
    reconcilers: [exposureReconciler(() => null, { presence: trackPresence(), keysBox: testKeysBox })],
  };

  it("is reported by the exposure, once", async () => {
    await stage.loop(withoutDriver);
    const id = await stage.expose();
    await until("it is reported", async () => (await reasons(id)).includes("NotAttached"));
    const message =
      "fra-01 is not attached, so its pods are unknown: add its kubeconfig. The exposure is stored, and created once the cluster is attached.";
    expect(await status(id)).toMatchObject({
      phase: "pending",
      message,
      applied: false,
      conditions: [{ type: "Ready", status: "false", reason: "NotAttached", message }],
    });
    const feed = () => stage.database.db.feedEntry.count({ where: { subjectId: id } });
    const before = { ...(await status(id)), entries: await feed() };
    await markDirty(stage.database.db, "exposure", id);
    await until("it was looked at again", async () => (await status(id)).observedAt > before.observedAt);
    const { observedAt } = await status(id);
    expect({ ...(await status(id)), entries: await feed() }).toEqual({ ...before, observedAt });
  });

  it("is reported with a strategy that has none in such clusters", async () => {
    const type = "ecmp";
    await stage.database.db.cluster.update({ where: { id: stage.clusterId }, data: { kind: "machines" } });
    const kubernetes = { ...fakeExposureDriver(stage.world), supports: isDriven };
    await stage.loop({
      reconcilers: [exposureReconciler(() => kubernetes, { presence: trackPresence(), keysBox: testKeysBox })],
    });
    const pool = await createAddressPool(stage.ctx, {
      clusterId: stage.clusterId,
      name: type,
      prefix: "192.0.2.0/24",
      note: "",
    });
    const strategy = strategySchema.parse({ type, poolId: pool.id });
    const id = await stage.expose({ strategy });
    await until("it is reported", async () => (await reasons(id)).includes("NoDriver"));
    const message = `This version has no driver for the strategy ${type} in machines clusters. The exposure is stored, and created by a version that has one.`;
    expect(await status(id)).toMatchObject({
      phase: "pending",
      message,
      conditions: [{ type: "Ready", status: "false", reason: "NoDriver", message }],
    });
    expect(stage.world.journal).toEqual([]);
    await deleteExposure(stage.ctx, id);
    await until("the row is gone", async () => (await stage.database.db.exposure.count()) === 0);
  });

  it("deletes an exposure that was never applied", async () => {
    await stage.loop(withoutDriver);
    const id = await stage.expose();
    await deleteExposure(stage.ctx, id);
    await until("the row is gone", async () => (await stage.database.db.exposure.count()) === 0);
    await until("the task is gone", async () => (await task(id)) === null);
  });

  it("keeps an applied exposure until there is a driver to remove it", async () => {
    const first = await stage.loop();
    const id = await stage.expose();
    await stage.converged();
    await first.stop();
    const second = await stage.loop(withoutDriver);
    await deleteExposure(stage.ctx, id);
    await until("it is reported", async () => (await reasons(id)).includes("NotAttached"));
    expect(stage.world.balancersOf(id)).toHaveLength(1);
    await second.stop();
    await stage.loop();
    await markDirty(stage.database.db, "exposure", id);
    await until("the row is gone", async () => (await stage.database.db.exposure.count()) === 0);
    expect(stage.world.balancersOf(id)).toEqual([]);
  });
});
