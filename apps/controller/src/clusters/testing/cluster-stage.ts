import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import type { CreateExposure, Exposure } from "@fairlead/domain/exposure";
import type { BackendTimes } from "@fairlead/domain/load-balancer";
import { driversOf } from "@fairlead/drivers";
import {
  clusterReconciler,
  exposureReconciler,
  loopMetrics,
  nodeReconciler,
  startLoop,
  trackPresence,
} from "@fairlead/reconciler";
import {
  createCluster,
  createExposure,
  kubernetesBox,
  markDirty,
  type ServiceContext,
  sessionKeysBox,
} from "@fairlead/services";
import { createTestOrganization } from "@fairlead/services/testing";
import { createMetrics, silentLog } from "@fairlead/telemetry";
import { startGateway } from "../../gateway/index.ts";
import { followClusters } from "../follow-clusters.ts";

// Periodic passes are disabled, so that tests prove the notifications.
const never = 3_600_000;

/** ClusterStage is a database with a reconciler, watches of its attached Kubernetes clusters, and a gateway for agents. */
export type ClusterStage = {
  database: TestDatabase;
  ctx: ServiceContext;
  /** The gateway's port. */
  port: number;
  /** attach creates a cluster with a kubeconfig, and waits until it is followed. */
  attach: (kubeconfig: string, name: string) => Promise<string>;
  /** expose requests an address for each instance of a stateful set. */
  expose: (
    spec: Pick<CreateExposure, "clusterId" | "name" | "workload"> & Partial<Pick<CreateExposure, "ports" | "strategy">>,
  ) => Promise<Exposure>;
  /** mark schedules a reconciliation of an exposure. */
  mark: (exposureId: string) => Promise<void>;
  /** look checks which clusters are attached now. */
  look: () => Promise<void>;
  stop: () => Promise<void>;
};

type StageOptions = { times?: BackendTimes; names?: string[] };

/**
 * times are how long backends fill and drain; with them, the loop has a periodic pass too. names are additional host names of
 * the gateway.
 */
export async function setClusterStage({ times, names = [] }: StageOptions = {}): Promise<ClusterStage> {
  const database = await createTestDatabase({ connections: 12 });
  const { db, url } = database;
  const ctx = await createTestOrganization(db);
  const metrics = createMetrics();
  const clusters = await followClusters({
    db,
    box: kubernetesBox(ctx.settings.secret),
    inCluster: null,
    log: silentLog,
    metrics,
    everyMs: never,
  });
  const { secret } = ctx.settings;
  const listening = { host: "127.0.0.1", port: 0, names, pollMs: never, stopWithinMs: 500 };
  const gateway = await startGateway({ db, databaseUrl: url, secret, log: silentLog, ...listening });
  const exposures = exposureReconciler(driversOf(clusters), {
    ...{ presence: trackPresence(), times, keysBox: sessionKeysBox(secret) },
  });
  const loop = await startLoop({
    db,
    listenUrl: url,
    reconcilers: [exposures, nodeReconciler, clusterReconciler(sessionKeysBox(secret))],
    log: silentLog,
    metrics: loopMetrics(metrics, db),
    pollMs: times ? 500 : never,
  });
  const now = () => ({ ...ctx, now: new Date() });
  return {
    database,
    ctx,
    port: gateway.port,
    async attach(kubeconfig, name) {
      const { id } = await createCluster(now(), {
        name,
        kind: "kubernetes",
        region: "",
        labels: {},
        kubernetes: { kubeconfig },
      });
      await clusters.look();
      await clusters.find(id)?.view.whole(AbortSignal.timeout(20_000));
      return id;
    },
    expose: (spec) =>
      createExposure(now(), {
        ports: [{ port: 6379, protocol: "tcp" }],
        strategy: { type: "per-replica", addressing: "dedicated" },
        labels: {},
        ...spec,
      }),
    mark: (exposureId) => markDirty(db, "exposure", exposureId),
    look: clusters.look,
    async stop() {
      await loop.stop();
      await gateway.stop();
      await clusters.stop();
      await database.drop();
    },
  };
}
