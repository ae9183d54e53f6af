import { markDirty, updateCluster, updateExposure } from "@fairlead/services";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claimTasks } from "./claim.sql.ts";
import { finishTask, forgetTask } from "./finish.sql.ts";
import { type Stage, setStage } from "./testing/stage.ts";
import { until } from "./testing/until.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.close());

const taskOf = (id: string) => stage.database.db.reconcileTask.findFirstOrThrow({ where: { objectId: id } });
const statusOf = (id: string) => stage.database.db.exposureStatus.findUnique({ where: { exposureId: id } });
const claim = (limit: number) => claimTasks(stage.database.db, { kinds: ["exposure"], limit, leaseMs: 60_000 });
const makeDue = (id: string) =>
  stage.database.db.reconcileTask.updateMany({ where: { objectId: id }, data: { dueAt: new Date(0) } });

describe("claims", () => {
  it("take the objects due the longest, and each object once", async () => {
    const ids = [await stage.expose(), await stage.expose(), await stage.expose()];
    const [first, ...rest] = await Promise.all([claim(1), claim(1), claim(1), claim(1)]);
    const claimed = [first, ...rest].flatMap((each) => (each ?? []).map((task) => task.objectId));
    expect(claimed.sort()).toEqual(ids.sort());
  });

  it("take an object over when its lease has expired, after those that wait", async () => {
    const crashed = await stage.expose();
    const waiting = await stage.expose();
    await claimTasks(stage.database.db, { kinds: ["exposure"], limit: 1, leaseMs: 20 });
    await until("the lease has run out", async () => (await taskOf(crashed)).dueAt < new Date());
    expect((await claim(1)).map((each) => each.objectId)).toEqual([waiting]);
    expect((await claim(1)).map((each) => each.objectId)).toEqual([crashed]);
  });

  it("take a user's change before a backlog of objects that came due by themselves", async () => {
    const { db } = stage.database;
    const id = await stage.expose();
    await claim(1);
    await db.reconcileTask.deleteMany();
    await db.$executeRaw`
      INSERT INTO reconcile_task (kind, object_id, due_at)
      SELECT 'exposure', 'exp_' || n, now() - interval '1 hour' FROM generate_series(1, 2000) AS n`;
    await updateExposure(stage.ctx, id, { labels: { tier: "gold" } });
    const first = await claim(16);
    expect(first).toHaveLength(16);
    expect(first.map((each) => each.objectId)).toContain(id);
    // Claimed once, it has no precedence any more: if it crashed controllers, the others would not wait.
    await db.reconcileTask.updateMany({ where: { objectId: id }, data: { leasedUntil: null, dueAt: new Date() } });
    expect((await claim(16)).map((each) => each.objectId)).not.toContain(id);
  });

  it("give no precedence to objects marked with their whole cluster", async () => {
    const id = await stage.expose();
    await stage.loop();
    await stage.converged();
    await updateCluster(stage.ctx, stage.clusterId, { region: "elsewhere" });
    await until("the mark was passed on", async () => (await taskOf(id)).requests > 1n);
    expect(await taskOf(id)).toMatchObject({ urgent: false });
  });

  it("skip resting objects without reading them", async () => {
    const { db } = stage.database;
    await db.$executeRaw`
      INSERT INTO reconcile_task (kind, object_id, due_at, resting)
      SELECT 'exposure', 'exp_' || n, now() - interval '1 hour', true FROM generate_series(1, 2000) AS n`;
    await db.$executeRaw`ANALYZE reconcile_task`;
    const plan = await db.$queryRaw<object[]>`
      EXPLAIN SELECT 1 FROM reconcile_task WHERE NOT urgent AND due_at <= now() AND NOT resting ORDER BY due_at LIMIT 16`;
    expect(JSON.stringify(plan)).toContain("reconcile_task_due");
  });

  it("leave a failing object alone ever longer, within bounds", async () => {
    const id = await stage.expose();
    stage.world.faults.add({ operation: "list", does: { type: "fail" } });
    await stage.loop({ random: () => 1, pollMs: 20 });
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 5; attempt++) {
      await until("it has failed", async () => {
        const task = await taskOf(id);
        return task.attempts === attempt && task.lease === null && task.lastError !== null;
      });
      waits.push((await taskOf(id)).dueAt.getTime() - Date.now());
      await makeDue(id);
    }
    for (const [i, most] of [500, 1_000, 2_000, 4_000, 8_000].entries()) {
      expect(waits[i]).toBeLessThanOrEqual(most);
      expect(waits[i]).toBeGreaterThan(most - 450);
    }
  });
});

describe("a change that agents report again and again", () => {
  const flap = (id: string) => markDirty(stage.database.db, "exposure", id, { urgent: true, patient: true });

  it("reconciles a healthy object at once", async () => {
    const id = await stage.expose();
    await stage.loop();
    await stage.converged();
    await flap(id);
    await until("it was looked at", async () => (await taskOf(id)).requests > 1n);
    await stage.converged();
    expect(await taskOf(id)).toMatchObject({ attempts: 0, lastError: null });
  });

  it("does not cut short the back-off of a failing one, as a user's change does", async () => {
    const id = await stage.expose();
    const [task] = await claim(1);
    if (!task) throw new Error("nothing was due");
    await flap(id);
    await finishTask(stage.database.db, task, { delayMs: 300_000, error: "no" });
    await flap(id);
    const waiting = await taskOf(id);
    expect(waiting).toMatchObject({ attempts: 1, lastError: "no" });
    expect(waiting.dueAt.getTime()).toBeGreaterThan(Date.now() + 200_000);
    await updateExposure(stage.ctx, id, { labels: { mended: "yes" } });
    const mended = await taskOf(id);
    expect(mended.attempts).toBe(0);
    expect(mended.dueAt.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it("does not wake a resting object", async () => {
    const id = await stage.expose();
    const [task] = await claim(1);
    if (!task) throw new Error("nothing was due");
    await finishTask(stage.database.db, task, { delayMs: 0, error: "no", rest: true });
    await flap(id);
    expect(await claim(1)).toEqual([]);
  });

  it("is not missed while the object is in progress", async () => {
    const id = await stage.expose();
    // The time when it is due is rounded to milliseconds, often up.
    for (let i = 0; i < 30; i++) {
      const [task] = await claim(1);
      expect(task?.objectId).toBe(id);
      if (!task) return;
      await flap(id);
      await finishTask(stage.database.db, task, { delayMs: 300_000 });
    }
  });
});

describe("a change while the object is in progress", () => {
  it("is not missed: the object is reconciled again at once", async () => {
    const { promise: inWork, resolve: isInWork } = Promise.withResolvers<void>();
    const { promise: release, resolve } = Promise.withResolvers<void>();
    const id = await stage.expose();
    stage.world.faults.add({ operation: "create", times: 1, onMet: isInWork, does: { type: "wait", until: release } });
    await stage.loop();
    await inWork;
    await updateExposure(stage.ctx, id, { ports: [{ port: 8443, protocol: "tcp" }] });
    resolve();
    await stage.converged();
    expect(stage.world.journal.map((each) => each.operation)).toEqual(["create", "update"]);
    expect(await statusOf(id)).toMatchObject({ observedGeneration: 2, phase: "serving" });
  });

  it("counts even when that work fails: no back-off delays the new spec", async () => {
    const id = await stage.expose();
    const [task] = await claim(1);
    if (!task) throw new Error("nothing was due");
    await markDirty(stage.database.db, "exposure", id);
    await finishTask(stage.database.db, task, { delayMs: 300_000, error: "no", rest: true });
    const after = await taskOf(id);
    expect(after.resting).toBe(false);
    expect(after.dueAt.getTime()).toBeLessThanOrEqual(Date.now());
  });
});

describe("a lost lease", () => {
  it("ends the work, which then writes nothing and releases nothing", async () => {
    const { promise: inWork, resolve: isInWork } = Promise.withResolvers<void>();
    const id = await stage.expose();
    stage.world.faults.add({ operation: "create", times: 1, onMet: isInWork, does: { type: "hang" } });
    const loop = await stage.loop({ leaseMs: 300 });
    await inWork;
    const thief = crypto.randomUUID();
    const leasedUntil = new Date(Date.now() + 60_000);
    await stage.database.db.reconcileTask.updateMany({ where: { objectId: id }, data: { lease: thief, leasedUntil } });
    await until("the work has ended", () => stage.metrics.page().then((page) => page.includes('outcome="lost"')));
    await loop.stop();
    expect(await taskOf(id)).toMatchObject({ lease: thief, leasedUntil, lastError: null });
    expect((await statusOf(id))?.observedGeneration).toBe(0);
  });

  it("is not released by the controller that lost it", async () => {
    const id = await stage.expose();
    const [task] = await claim(1);
    if (!task) throw new Error("nothing was due");
    const lease = crypto.randomUUID();
    await stage.database.db.reconcileTask.updateMany({ where: { objectId: id }, data: { lease } });
    expect(await finishTask(stage.database.db, task, { delayMs: 0 })).toBe("lost");
    expect(await forgetTask(stage.database.db, task)).toBe("lost");
    expect(await taskOf(id)).toMatchObject({ lease });
  });

  it("voids a late record, even when the work did not notice", async () => {
    const id = await stage.expose();
    const loop = await stage.loop({
      async onStep(step) {
        if (step !== "observed") return;
        const data = { lease: crypto.randomUUID(), leasedUntil: new Date(Date.now() + 60_000) };
        await stage.database.db.reconcileTask.updateMany({ where: { objectId: id }, data });
      },
    });
    await until("the work has ended", () => stage.metrics.page().then((page) => page.includes('outcome="lost"')));
    await loop.stop();
    expect((await statusOf(id))?.observedGeneration).toBe(0);
  });

  it("never lets an older observation overwrite a newer one", async () => {
    const id = await stage.expose();
    await stage.loop({
      async onStep(step) {
        if (step !== "observed") return;
        await stage.database.db.exposureStatus.updateMany({
          where: { exposureId: id, observedGeneration: 0 },
          data: { observedGeneration: 7, message: "newer" },
        });
      },
    });
    await until("it has been tried", async () => (await statusOf(id))?.observedGeneration === 7);
    await until("the older look is over", async () => (await taskOf(id)).lease === null);
    expect(await statusOf(id)).toMatchObject({ observedGeneration: 7, message: "newer" });
  });
});

describe("stopping", () => {
  it("lets running work end, and claims nothing more", async () => {
    const { promise: inWork, resolve: isInWork } = Promise.withResolvers<void>();
    const { promise: release, resolve } = Promise.withResolvers<void>();
    const id = await stage.expose();
    stage.world.faults.add({ operation: "create", times: 1, onMet: isInWork, does: { type: "wait", until: release } });
    const loop = await stage.loop();
    await inWork;
    const stopped = loop.stop(60_000);
    const later = await stage.expose();
    resolve();
    await stopped;
    expect(await statusOf(id)).toMatchObject({ phase: "serving" });
    expect(stage.world.balancersOf(later)).toEqual([]);
    expect(await taskOf(later)).toMatchObject({ lease: null, attempts: 0 });
  });

  it("aborts work that runs too long, and leaves it due for the next controller", async () => {
    const { promise: inWork, resolve: isInWork } = Promise.withResolvers<void>();
    const id = await stage.expose();
    stage.world.faults.add({ operation: "create", times: 1, onMet: isInWork, does: { type: "hang" } });
    const loop = await stage.loop();
    await inWork;
    const started = performance.now();
    await loop.stop(100);
    // The attempt would hang for good. A busy machine may take seconds for what follows the 100 ms.
    expect(performance.now() - started).toBeLessThan(15_000);
    const task = await taskOf(id);
    expect(task).toMatchObject({ lease: null, lastError: null });
    expect(task.dueAt.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it("is not needed for an attempt that hangs: it is aborted, and counts as failed", async () => {
    const id = await stage.expose();
    stage.world.faults.add({ operation: "create", times: 1, does: { type: "hang" } });
    await stage.loop({ attemptMs: 2_000 });
    await until("it was cut off", async () => (await taskOf(id)).lastError !== null);
    expect((await taskOf(id)).lastError).toBe("it took longer than 2 s");
    await stage.converged();
  });
});
