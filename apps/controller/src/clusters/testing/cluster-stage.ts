import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import type { BackendTimes, CreateExposure, Exposure } from "@fairlead/domain";
import { driversOf } from "@fairlead/drivers";
import {
  clusterReconciler,
  exposureReconciler,
  loopMetrics,
  nodeReconciler,
  startLoop,
  trackPresence,
} from "@fairlead/reconciler";
import { createCluster, createExposure, kubernetesBox, markDirty, type ServiceContext } from "@fairlead/services";
import { createTestOrganization } from "@fairlead/services/testing";
import { createMetrics, silentLog } from "@fairlead/telemetry";
import { startGateway } from "../../gateway/index.ts";
import { followClusters } from "../follow-clusters.ts";

// What should be quick must be told: nothing is found by looking around.
const never = 3_600_000;

/** ClusterStage is a database, a loop over it, eyes on the Kubernetes clusters that are attached in it, and a gateway for agents. */
export type ClusterStage = {
  database: TestDatabase;
  ctx: ServiceContext;
  /** Where agents are met. */
  port: number;
  /** attach makes a cluster that is reached by a kubeconfig, and waits until it is followed. */
  attach: (kubeconfig: string, name: string) => Promise<string>;
  /** expose wishes that each instance of a stateful set has an address of its own. */
  expose: (
    wish: Pick<CreateExposure, "clusterId" | "name" | "workload"> & Partial<Pick<CreateExposure, "ports" | "strategy">>,
  ) => Promise<Exposure>;
  /** mark has an exposure looked at again. */
  mark: (exposureId: string) => Promise<void>;
  /** look looks which clusters are attached now. */
  look: () => Promise<void>;
  stop: () => Promise<void>;
};

type StageOptions = { times?: BackendTimes; names?: string[] };

/**
 * times are how long backends fill and drain; where time alone is to change something, the loop has to look around for that.
 * names are what agents elsewhere call the gateway.
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
  const exposures = exposureReconciler(driversOf(clusters), { presence: trackPresence(), times });
  const loop = await startLoop({
    db,
    listenUrl: url,
    reconcilers: [exposures, nodeReconciler, clusterReconciler],
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
    expose: (wish) =>
      createExposure(now(), {
        ports: [{ port: 6379, protocol: "tcp" }],
        strategy: { type: "per-replica", addressing: "dedicated" },
        labels: {},
        ...wish,
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
