import { setTimeout as sleep } from "node:timers/promises";
import { openDb } from "@fairlead/db";
import { readPriceSeed } from "@fairlead/domain/cost/price-seed";
import { driversOf } from "@fairlead/drivers";
import { awsCloudMetrics, awsCloudRoute } from "@fairlead/drivers/aws";
import { connect } from "@fairlead/drivers/kubernetes";
import { feedReader } from "@fairlead/drivers/prices";
import {
  clientPrefixesReconciler,
  cloudMetricsReconciler,
  cloudRouteReconciler,
  clusterReconciler,
  experimentReconciler,
  exposureReconciler,
  kubernetesReconciler,
  loopMetrics,
  moveReconciler,
  nodeReconciler,
  startLoop,
  trackPresence,
} from "@fairlead/reconciler";
import {
  cloudMetricsBox,
  cloudRouteBox,
  importPrices,
  kubernetesBox,
  pingDatabase,
  sessionKeysBox,
} from "@fairlead/services";
import { addProcessMetrics, createMetrics, type Log } from "@fairlead/telemetry";
import { checkDatabase } from "./check-database.ts";
import { followClusters } from "./clusters/index.ts";
import type { Env } from "./env.ts";
import { startGateway } from "./gateway/index.ts";
import { startHttp } from "./http.ts";
import { startMeters } from "./meters/index.ts";
import { startPriceRefreshes } from "./prices/index.ts";
import { startSweeps } from "./sweeps/index.ts";

export type Controller = { stop: () => Promise<void> };

// The gateway must always find a free connection: a backlog of the loop must not delay the agents' reports.
const connections = 24;
const concurrency = 12;
// Clusters are checked separately: fifty unreachable ones must not delay an exposure. This is nearly all waiting, so many at
// once cost little.
const clustersAtOnce = 32;
// Cloud metrics are read separately: catching up with a day of them takes a while.
const cloudsAtOnce = 32;
// Separate connections, so that they take none from the gateway.
const clusterConnections = 6;
const pingMs = 2_000;
// A stop must finish within seconds. Interrupted work is harmless: leases expire, agents repeat their reports.
const gatewayStopMs = 1_500;
const drainMs = 1_000;

/** startController starts all parts of this process in order, and returns a stop function that stops them in reverse order. */
export async function startController(env: Env, log: Log): Promise<Controller> {
  const db = openDb(env.databaseUrl, { connections, applicationName: "fairlead-controller" });
  const stops: (() => Promise<unknown>)[] = [() => db.$disconnect()];
  const stop = async () => {
    for (const each of stops.splice(0).reverse())
      await each().catch((err: unknown) => log.warn("did not stop cleanly", { err }));
  };
  try {
    await checkDatabase(db);
    await importPrices(db, { name: "seed", points: readPriceSeed() }, new Date());
    const metrics = createMetrics();
    addProcessMetrics(metrics);
    let started = false;
    const http = await startHttp({
      host: env.metricsHost,
      port: env.metricsPort,
      metrics,
      findProblem: async () => (started ? databaseProblem(() => pingDatabase(db)) : "The controller is starting."),
    });
    stops.push(http.stop);

    const clusters = await followClusters({
      db,
      box: kubernetesBox(env.secret),
      inCluster: env.inCluster,
      log: log.with({ part: "clusters" }),
      metrics,
    });
    stops.push(clusters.stop);
    const presence = trackPresence();
    const ofLoops = loopMetrics(metrics, db);
    const loop = await startLoop({
      db,
      listenUrl: env.databaseUrl,
      reconcilers: [
        exposureReconciler(driversOf(clusters), { presence, keysBox: sessionKeysBox(env.secret) }),
        nodeReconciler,
        clientPrefixesReconciler,
        clusterReconciler(sessionKeysBox(env.secret)),
        experimentReconciler,
        moveReconciler,
        cloudRouteReconciler(awsCloudRoute({ allowedEndpoints: env.cloudEndpoints }), {
          box: cloudRouteBox(env.secret),
          presence,
        }),
      ],
      log: log.with({ part: "loop" }),
      metrics: ofLoops,
      concurrency,
    });
    stops.push(() => loop.stop(drainMs));
    const dbOfClusters = openDb(env.databaseUrl, {
      connections: clusterConnections,
      applicationName: "fairlead-controller-clusters",
    });
    stops.push(() => dbOfClusters.$disconnect());
    const asking = await startLoop({
      db: dbOfClusters,
      listenUrl: env.databaseUrl,
      reconcilers: [
        kubernetesReconciler((access) => connect(access, { inCluster: env.inCluster }), {
          box: kubernetesBox(env.secret),
        }),
      ],
      log: log.with({ part: "clusters" }),
      metrics: ofLoops,
      concurrency: clustersAtOnce,
    });
    stops.push(() => asking.stop(drainMs));
    const measuring = await startLoop({
      db: dbOfClusters,
      listenUrl: env.databaseUrl,
      reconcilers: [
        cloudMetricsReconciler(awsCloudMetrics({ allowedEndpoints: env.cloudEndpoints }), {
          box: cloudMetricsBox(env.secret),
        }),
      ],
      log: log.with({ part: "cloud-metrics" }),
      metrics: ofLoops,
      concurrency: cloudsAtOnce,
    });
    stops.push(() => measuring.stop(drainMs));
    const meters = await startMeters({ db, log: log.with({ part: "meters" }) });
    stops.push(meters.stop);
    const prices = startPriceRefreshes({
      db,
      log: log.with({ part: "prices" }),
      read: feedReader(env.priceFeeds.access),
      scheduled: env.priceFeeds.scheduled,
    });
    stops.push(prices.stop);
    const gateway = await startGateway({
      db,
      databaseUrl: env.databaseUrl,
      secret: env.secret,
      host: env.gatewayHost,
      port: env.gatewayPort,
      names: [env.gatewayUrl.hostname.replace(/^\[|\]$/g, "")],
      log: log.with({ part: "gateway" }),
      metrics,
      stopWithinMs: gatewayStopMs,
    });
    stops.push(gateway.stop);
    // Last: from its first run on, silent agents are counted as silent.
    const sweeps = startSweeps({ db, log: log.with({ part: "sweeps" }), metrics, presence });
    stops.push(sweeps.stop);
    started = true;
    log.info("ready", { metricsPort: http.port });
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function databaseProblem(ping: () => Promise<true>): Promise<string | null> {
  const late = sleep(pingMs, false, { ref: false });
  const answered = await Promise.race([ping().catch(() => false), late]);
  return answered ? null : "The database is unreachable.";
}
