import type { Db } from "@fairlead/db";
import { type ClusterListeners, type InCluster, KubernetesClusters } from "@fairlead/drivers/kubernetes";
import { type KubernetesBox, type StoredAccess, selectAttached } from "@fairlead/services";
import type { Log, Metrics } from "@fairlead/telemetry";
import { repeat } from "../repeat.ts";
import { InstanceWriter } from "./instance-writer.ts";
import { Inventory } from "./inventory.ts";
import { readAllMetrics } from "./resource-metrics.ts";

export type FollowClustersOptions = {
  db: Db;
  box: Pick<KubernetesBox, "open">;
  inCluster: InCluster | null;
  log: Log;
  metrics: Metrics;
  everyMs?: number;
  /** How often the figures of metrics-server are read. */
  metricsEveryMs?: number;
};

export type Clusters = {
  find: KubernetesClusters["find"];
  /** look checks which clusters are attached; it also runs periodically. */
  look: () => Promise<void>;
  stop: () => Promise<void>;
};

/** The state of one cluster is stored for the reconciler at once, and for the inventory page with a delay. */
type Writers = { instances: InstanceWriter; inventory: Inventory };

async function stopWriting(writing: Writers | undefined): Promise<void> {
  await Promise.all([writing?.instances.stop(), writing?.inventory.stop()]);
}

/**
 * followClusters watches every attached Kubernetes cluster, stores its instances, and marks the affected exposures. Every
 * controller does so for all clusters, so that each can reconcile any exposure; what two of them store is the same.
 */
export async function followClusters(options: FollowClustersOptions): Promise<Clusters> {
  const { db, box, inCluster, log, metrics, everyMs = 2_000, metricsEveryMs = 10_000 } = options;
  const writers = new Map<string, Writers>();
  const organizations = new Map<string, string>();
  const troubled = new Set<string>();
  const sights = metrics.counter("fairlead_kubernetes_sights_total", "Changes of objects seen by watches.");
  const troubles = metrics.counter("fairlead_kubernetes_troubles_total", "Times that a watch of a cluster failed.");

  const ears: ClusterListeners = {
    onSight(id, sight) {
      sights.add({ kind: sight.type });
      const writing = writersOf(id);
      writing?.instances.note(sight);
      writing?.inventory.note();
    },
    onWhole(id) {
      const writing = writersOf(id);
      writing?.instances.resync();
      writing?.inventory.note();
    },
    onTrouble(id, err) {
      if (err === null) {
        if (troubled.delete(id)) log.info("a cluster can be watched again", { cluster: id });
        return;
      }
      // A watch that fails while it is closed would bring back a series that has ended.
      if (!organizations.has(id)) return;
      troubles.add({ cluster: id });
      if (!troubled.has(id)) log.warn("can't watch a cluster; retrying", { cluster: id, err });
      troubled.add(id);
    },
  };
  const clusters = new KubernetesClusters(ears, inCluster);

  function writersOf(id: string): Writers | null {
    const organizationId = organizations.get(id);
    if (organizationId === undefined) return null;
    const kept = writers.get(id);
    if (kept) return kept;
    const options = {
      db,
      cluster: { id, organizationId },
      view: () => clusters.find(id)?.view ?? null,
      log: log.with({ cluster: id }),
    };
    const made = { instances: new InstanceWriter(options), inventory: new Inventory(options) };
    writers.set(id, made);
    return made;
  }

  async function look(): Promise<void> {
    const attached = await selectAttached(db);
    for (const { id, organizationId } of attached) organizations.set(id, organizationId);
    const gone = [...organizations.keys()].filter((id) => !attached.some((each) => each.id === id));
    const opened = await clusters.keep(attached.map(toAttached), (id, err) =>
      log.error("can't open a cluster's access", { cluster: id, err }),
    );
    if (opened.length > 0) log.info("following clusters", { clusters: opened });
    for (const id of gone) {
      await stopWriting(writers.get(id));
      writers.delete(id);
      organizations.delete(id);
      troubled.delete(id);
      troubles.remove({ cluster: id });
    }
  }

  function toAttached({ id, name, sealed }: StoredAccess) {
    return { id, name, digest: sealed, open: () => box.open(sealed) };
  }

  await look();
  const repeated = repeat("check which clusters are attached", look, everyMs, log);
  const measured = repeat(
    "read the metrics of nodes and pods",
    (stopping) => readAllMetrics({ db, find: (id) => clusters.find(id), stopping }),
    metricsEveryMs,
    log,
  );
  return {
    find: (id) => clusters.find(id),
    look,
    async stop() {
      await Promise.all([repeated.stop(), measured.stop()]);
      await clusters.stop();
      await Promise.all([...writers.values()].map(stopWriting));
    },
  };
}
