import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { fakeExposureDriver, MemoryWorld, serveWorld } from "@fairlead/drivers/testing";
import { createMetrics, type Metrics, silentLog } from "@fairlead/telemetry";
import {
  clientPrefixesReconciler,
  clusterReconciler,
  experimentReconciler,
  type Loop,
  type LoopOptions,
  loopMetrics,
  moveReconciler,
  nodeReconciler,
  startLoop,
} from "../index.ts";
import { besideOwn } from "./beside-own.ts";
import { createFleet, type Fleet } from "./fleet.ts";
import { type Child, type ChildOptions, spawnController } from "./spawn-controller.ts";
import { testKeysBox } from "./test-keys-box.ts";
import { until } from "./until.ts";

/** Stage is a database, a fleet and a fake world, with controllers in this process and in child processes. */
export type Stage = Fleet & {
  database: TestDatabase;
  world: MemoryWorld;
  metrics: Metrics;
  loop: (options?: Partial<LoopOptions>) => Promise<Loop>;
  child: (options?: Partial<ChildOptions>) => Promise<Child>;
  /** Every exposure is outside as its spec requires, nothing else is, and every task rests or waits for its resync. */
  converged: (withinMs?: number) => Promise<void>;
  close: () => Promise<void>;
};

/** setStage uses its own database, or one that a test provides in order to break it. */
export async function setStage(given?: TestDatabase): Promise<Stage> {
  const database = given ?? (await createTestDatabase({ connections: 8 }));
  const { db, url } = database;
  const world = new MemoryWorld();
  const server = await serveWorld(world);
  const fleet = await createFleet(db);
  const metrics = createMetrics();
  const counts = loopMetrics(metrics, db);
  const stops: (() => Promise<unknown>)[] = [];
  let names = 0;

  async function isConverged(): Promise<boolean> {
    const open = await db.reconcileTask.count({
      where: { OR: [{ dueAt: { lte: soon() } }, { lease: { not: null } }] },
    });
    if (open > 0) return false;
    const ids = new Set([...world.journal.map((each) => each.exposureId), ...(await exposureIds())]);
    for (const id of ids) {
      const there = world.balancersOf(id).map((each) => each.id);
      if (JSON.stringify(there) !== JSON.stringify((await fleet.wanted(id)).sort())) return false;
    }
    return true;
  }

  async function exposureIds(): Promise<string[]> {
    const rows = await db.exposure.findMany({ select: { id: true } });
    return rows.map((each) => each.id);
  }

  return {
    ...fleet,
    database,
    world,
    metrics,
    async loop(options = {}) {
      const loop = await startLoop({
        db,
        listenUrl: url,
        reconcilers: [
          besideOwn(fakeExposureDriver(world)),
          nodeReconciler,
          clientPrefixesReconciler,
          clusterReconciler(testKeysBox),
          experimentReconciler,
          moveReconciler,
        ],
        log: silentLog,
        metrics: counts,
        pollMs: 200,
        ...options,
      });
      stops.push(() => loop.stop(2_000));
      return loop;
    },
    async child(options = {}) {
      const child = spawnController({
        databaseUrl: url,
        worldUrl: server.url,
        name: `controller-${++names}`,
        ...options,
      });
      stops.push(() => child.stop());
      await child.running;
      return child;
    },
    converged: (withinMs = 60_000) =>
      until("everything is as its spec says", isConverged, {
        withinMs,
        seen: () =>
          db.reconcileTask.findMany({
            where: { OR: [{ dueAt: { lte: soon() } }, { lease: { not: null } }] },
            take: 5,
            select: { objectId: true, dueAt: true, leasedUntil: true, lastError: true },
          }),
      }),
    async close() {
      await Promise.all(stops.map((stop) => stop()));
      await server.close();
      await database.drop();
    },
  };
}

/** A task due within the minute is not at rest: a resync is minutes away. */
function soon(): Date {
  return new Date(Date.now() + 60_000);
}
