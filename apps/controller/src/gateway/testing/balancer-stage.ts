import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import type { CreateExposure, Exposure, ExposureDetail } from "@fairlead/domain/exposure";
import type { ReportedInstance } from "@fairlead/domain/instance";
import type { BackendTimes } from "@fairlead/domain/load-balancer";
import {
  clientPrefixesReconciler,
  clusterReconciler,
  exposureReconciler,
  loopMetrics,
  nodeReconciler,
  startLoop,
} from "@fairlead/reconciler";
import { createExposure, getExposure, type ServiceContext, sessionKeysBox } from "@fairlead/services";
import { createTestCluster, createTestOrganization, testSpec } from "@fairlead/services/testing";
import { createMetrics, silentLog } from "@fairlead/telemetry";
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from "vitest";
import { startGateway } from "../index.ts";
import { enrollTestAgent, type TestAgent } from "./test-agent.ts";
import { inventoryOf, startTestBalancer, type TestBalancer } from "./test-balancer.ts";

// Gateways don't poll, and loops only run tasks that are due, so a fast result proves a notification.
const never = 3_600_000;
/** The timeout for a change. It is not a promise of the product: a busy machine may take this long. */
export const patience = { timeout: 60_000, interval: 10 };
export const hourMs = 3_600_000;
const shortTimes: BackendTimes = { fillMs: 300, drainMs: 300 };

/** BalancerStage is a gateway and a reconcile loop over a database, for clusters with simulated balancers. */
export type BalancerStage = {
  database: TestDatabase;
  port: number;
  /** presentFor sets for how long the control plane has been reachable without a gap; an hour by default. */
  presentFor: (ms: number) => void;
  /** How long backends fill and drain: short, unless a test changes them. */
  times: BackendTimes;
  /** enter creates an organisation with an empty lab, and resets presence and times. */
  enter: () => Promise<BalancerFixture>;
  close: () => Promise<void>;
};

export type BalancerFixture = {
  /** A request context with the current time. */
  now: () => ServiceContext;
  clusterId: string;
  /** The workload "web" on port 80, with two replicas. */
  spec: CreateExposure;
  lab: TestAgent;
  balancers: TestBalancer[];
  /** runs reports the complete inventory of the lab. */
  runs: (instances: readonly ReportedInstance[]) => Promise<unknown>;
  /** join adds balancers, each on its own node, and waits for their first configs and reports. */
  join: (count: number) => Promise<void>;
  /** serve exposes instances on new balancers, and waits until all of them carry it. */
  serve: (replicas: number, instances: readonly ReportedInstance[]) => Promise<Exposure>;
  exposure: (id: string) => Promise<ExposureDetail>;
  leave: () => Promise<void>;
};

export async function setBalancerStage(): Promise<BalancerStage> {
  const database = await createTestDatabase({ connections: 10 });
  const { db, url } = database;
  const secret = "only-for-tests-".repeat(3); // encrypts the data of test organisations
  const listening = { host: "127.0.0.1", port: 0, pollMs: never, stopWithinMs: 500 };
  const gateway = await startGateway({ db, databaseUrl: url, secret, log: silentLog, ...listening });
  let presentForMs = hourMs;
  const presence = { lastsMs: () => presentForMs };
  const times = { ...shortTimes };
  const loop = await startLoop({
    db,
    listenUrl: url,
    reconcilers: [
      exposureReconciler(() => null, { presence, times, keysBox: sessionKeysBox(secret) }),
      nodeReconciler,
      clientPrefixesReconciler,
      clusterReconciler(sessionKeysBox(secret)),
    ],
    log: silentLog,
    metrics: loopMetrics(createMetrics(), db),
  });
  return {
    database,
    port: gateway.port,
    presentFor(ms) {
      presentForMs = ms;
    },
    times,
    enter() {
      presentForMs = hourMs;
      Object.assign(times, shortTimes);
      return enter(database, gateway.port);
    },
    async close() {
      await loop.stop();
      await gateway.stop();
      await database.drop();
    },
  };
}

/** onBalancerStage runs all tests of a file on one stage, each with its own fixture. */
export function onBalancerStage(begin: (stage: BalancerStage, fixture: BalancerFixture) => void): void {
  let stage: BalancerStage;
  let fixture: BalancerFixture;
  beforeAll(async () => {
    stage = await setBalancerStage();
  });
  afterAll(() => stage.close());
  beforeEach(async () => {
    fixture = await stage.enter();
    begin(stage, fixture);
  });
  afterEach(() => fixture.leave());
}

async function enter({ db }: TestDatabase, port: number): Promise<BalancerFixture> {
  const ctx = await createTestOrganization(db);
  const { cluster, pool } = await createTestCluster(ctx);
  const clusterId = cluster.id;
  const spec = testSpec(pool, { workload: { kind: "deployment", name: "web" }, ports: [{ port: 80 }] });
  const lab = await enrollTestAgent(ctx, port, clusterId, "lab", ["lab"]);
  const balancers: TestBalancer[] = [];
  const now = () => ({ ...ctx, now: new Date() });
  const exposure = (id: string) => getExposure(now(), id);
  const runs: BalancerFixture["runs"] = (instances) => lab.report(inventoryOf(instances));

  const join: BalancerFixture["join"] = async (count) => {
    for (let i = 0; i < count; i++) {
      const number = balancers.length + 1;
      balancers.push(await startTestBalancer(ctx, port, clusterId, `n${number}`, number));
    }
    await Promise.all(balancers.map((each) => each.until(() => true)));
    await Promise.all(balancers.map((each) => each.reported()));
  };

  return {
    now,
    clusterId,
    spec,
    lab,
    balancers,
    runs,
    join,
    exposure,
    async serve(replicas, instances) {
      await join(replicas);
      await runs(instances);
      const made = await createExposure(now(), withReplicas(spec, replicas));
      await vi.waitFor(async () => expect((await exposure(made.id)).phase).toBe("serving"), patience);
      return made;
    },
    async leave() {
      await Promise.all(balancers.map((each) => each.stop()));
      lab.close();
    },
  };
}

/** withReplicas returns the spec with another number of replicas. */
export function withReplicas(spec: CreateExposure, replicas: number): CreateExposure {
  const { strategy } = spec;
  return strategy.type === "ecmp" ? { ...spec, strategy: { ...strategy, replicas } } : spec;
}
