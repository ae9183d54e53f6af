import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import type { CloudCredentials, CloudMeasured } from "@fairlead/domain/cloud";
import { awsCloudMetrics } from "@fairlead/drivers/aws";
import {
  type AwsFront,
  createTestBalancers,
  emulatorUrl,
  startAwsFront,
  type TestBalancer,
  type TestBalancers,
  testCredentials,
} from "@fairlead/drivers/aws-testing";
import {
  cloudMetricsBox,
  createExposure,
  getCloudMetricsStatus,
  listUsage,
  markDirty,
  querySeries,
  type ServiceContext,
  updateCluster,
} from "@fairlead/services";
import { dueRollups, meterDue, Partitions, rollUp } from "@fairlead/services/gateway";
import { createTestCluster, createTestOrganization, testSpec } from "@fairlead/services/testing";
import { createMetrics, jsonLog } from "@fairlead/telemetry";
import { expect } from "vitest";
import { cloudMetricsReconciler, type Loop, type LoopOptions, loopMetrics, startLoop } from "../../../index.ts";

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
/** The beginning of an hour. All balancers were created an hour before. */
export const start = new Date("2026-11-25T10:00:00Z");
export const after = (minutes: number) => new Date(start.getTime() + minutes * minuteMs);
/** The longest wait of each test: an emulator answers slowly on a busy machine. */
export const patience = { timeout: 90_000, interval: 50 };

/** MetricsStage is a database, an emulated cloud, and loops that read its metrics at a time that a test sets. */
export class MetricsStage {
  now = start;
  logged = "";
  readonly #allowed: string[] = [];
  readonly #fronts: AwsFront[] = [];
  readonly #loops: Loop[] = [];
  readonly #partitions = new Partitions();
  readonly database: TestDatabase;
  readonly made: TestBalancers;
  private constructor(database: TestDatabase, made: TestBalancers) {
    this.database = database;
    this.made = made;
  }

  static async set(): Promise<MetricsStage> {
    return new MetricsStage(await createTestDatabase({ connections: 20 }), createTestBalancers());
  }

  async startLoop({ passMs, ...other }: Partial<LoopOptions> & { passMs?: number } = {}): Promise<Loop> {
    const { db, url } = this.database;
    const loop = await startLoop({
      db,
      listenUrl: url,
      reconcilers: [
        cloudMetricsReconciler(awsCloudMetrics({ allowedEndpoints: this.#allowed }), {
          box: cloudMetricsBox("only-for-tests-".repeat(3)),
          ...(passMs === undefined ? {} : { passMs }),
        }),
      ],
      log: jsonLog((line) => {
        this.logged += line;
      }),
      metrics: loopMetrics(createMetrics(), db),
      concurrency: 32,
      leaseMs: 1_000,
      now: () => this.now,
      ...other,
    });
    this.#loops.push(loop);
    return loop;
  }

  async addCluster(): Promise<ClusterFixture> {
    const ctx = { ...(await createTestOrganization(this.database.db)), now: start };
    ctx.settings.cloudEndpoints = this.#allowed;
    const front = await startAwsFront(emulatorUrl());
    front.madeAt = after(-60);
    this.#fronts.push(front);
    this.#allowed.push(front.url);
    const { cluster, pool } = await createTestCluster(ctx);
    return new ClusterFixture(this, front, ctx, cluster.id, pool);
  }

  /**
   * passTo does what controllers do up to a moment: minutes are rolled up, hours half a minute after their last one,
   * and metered.
   */
  async passTo(now: Date): Promise<void> {
    const { db } = this.database;
    for (const at of [new Date(now.getTime() - 45_000), now])
      for (let due = await dueRollups(db, at); due.length > 0; due = await dueRollups(db, at))
        for (const task of due) await rollUp(db, this.#partitions, task, at);
    await meterDue(db, now);
  }

  /** end stops what a test started. */
  async end(): Promise<void> {
    await Promise.all(this.#loops.splice(0).map((each) => each.stop(200)));
    await Promise.all(this.#fronts.splice(0).map((each) => each.close()));
    this.now = start;
    this.logged = "";
  }

  async close(): Promise<void> {
    this.made.close();
    await this.database.drop();
  }
}

type Pool = Parameters<typeof testSpec>[0];

/** ClusterFixture is a cluster with load balancers that the emulated cloud runs. */
export class ClusterFixture {
  readonly stage: MetricsStage;
  readonly front: AwsFront;
  readonly ctx: ServiceContext;
  readonly id: string;
  readonly #pool: Pool;
  #count = 0;
  constructor(stage: MetricsStage, front: AwsFront, ctx: ServiceContext, id: string, pool: Pool) {
    this.stage = stage;
    this.front = front;
    this.ctx = ctx;
    this.id = id;
    this.#pool = pool;
  }

  /** addBalancer adds a load balancer with the name of one in the cloud, as a Service's status gives it. */
  async addBalancer({ address }: Pick<TestBalancer, "address">): Promise<string> {
    const { db } = this.stage.database;
    const { id: exposureId } = await createExposure(this.ctx, testSpec(this.#pool, { name: `shop-${++this.#count}` }));
    const { id } = await db.loadBalancer.findFirstOrThrow({ where: { exposureId } });
    await db.replica.deleteMany({ where: { loadBalancerId: id } });
    await db.virtualAddress.deleteMany({ where: { loadBalancerId: id } });
    await db.loadBalancer.update({ where: { id }, data: { kind: "cloud", createdAt: after(-60) } });
    const status = { phase: "serving", address, observedAt: start };
    await db.loadBalancerStatus.upsert({
      where: { loadBalancerId: id },
      create: { loadBalancerId: id, ...status },
      update: status,
    });
    return id;
  }

  setUp(credentials: CloudCredentials | null = testCredentials): Promise<unknown> {
    const at = { monitoringEndpoint: this.front.url, balancingEndpoint: this.front.url };
    const cloudMetrics = { provider: "aws" as const, region: "eu-central-1", ...at };
    return updateCluster(this.ctx, this.id, {
      cloudMetrics: { ...cloudMetrics, ...(credentials ? { credentials } : {}) },
    });
  }

  status() {
    return getCloudMetricsStatus(this.ctx, this.id);
  }

  becomes(want: object): Promise<unknown> {
    return expect.poll(() => this.status(), patience).toMatchObject(want);
  }

  /** lookAt reconciles the cluster at a moment, and waits until that is done. */
  async lookAt(now: Date, want: object = {}): Promise<void> {
    this.stage.now = now;
    await markDirty(this.stage.database.db, "cloud-metrics", this.id);
    await this.becomes({ observedAt: now, ...want });
  }

  /** usage is the metered usage of its one balancer, hour by hour since the start. */
  async usage(to: Date) {
    const query = { step: "hour", groupBy: "loadBalancer", limit: 50, from: start, to } as const;
    const { items } = await listUsage({ ...this.ctx, now: this.stage.now }, query);
    return items[0]?.points ?? [];
  }

  /** series is the data of a chart: minutes after the start, and values. */
  async series(subjectId: string, metric: CloudMeasured, from = start, to = this.stage.now): Promise<number[][]> {
    const query = { subjectIds: [subjectId], metrics: [metric], from, to, maxPoints: 1_000 };
    const { series } = await querySeries({ ...this.ctx, now: this.stage.now }, query);
    return (series[0]?.points ?? []).map(({ at, avg }) => [(at.getTime() - start.getTime()) / minuteMs, avg]);
  }

  async events(): Promise<string[]> {
    const where = { subjectId: this.id, reason: { startsWith: "CloudMetrics" } };
    const rows = await this.stage.database.db.event.findMany({ where, orderBy: [{ at: "asc" }, { id: "asc" }] });
    return rows.map(({ severity, reason }) => `${severity} ${reason}`);
  }
}
