import { type Db, inTransaction } from "@fairlead/db";
import { explainMetricsError, type KubernetesCluster, type ResourceMetrics } from "@fairlead/drivers/kubernetes";
import { type MeasuredExposure, recordMetrics, recordMetricsProblem, selectMeasured } from "@fairlead/services";
import { resourcesOf } from "./resources-of.ts";

/** Measurable is what is used of a cluster. */
export type Measurable = Pick<KubernetesCluster, "readMetrics" | "detailOf" | "explain"> & {
  view: Pick<KubernetesCluster["view"], "isWhole" | "podsOf"> & {
    nodes: Pick<KubernetesCluster["view"]["nodes"], "items">;
  };
};

export type ReadMetricsOptions = {
  db: Db;
  find: (clusterId: string) => Measurable | null;
  stopping: AbortSignal;
  now?: () => Date;
};

/** How long figures are current. metrics-server itself reads kubelets every 10 seconds at most. */
const currentForMs = 8_000;
const answersWithinMs = 5_000;

/** readAllMetrics stores what metrics-server measures for all exposures that show it. A slow cluster doesn't slow down others. */
export async function readAllMetrics(options: ReadMetricsOptions): Promise<void> {
  const { db, now = () => new Date() } = options;
  const due = await selectMeasured(db, new Date(now().getTime() - currentForMs));
  const clusters = [...Map.groupBy(due, (each) => each.clusterId)];
  await Promise.all(clusters.map(([id, exposures]) => readOne(id, exposures, options)));
}

async function readOne(
  clusterId: string,
  exposures: readonly MeasuredExposure[],
  { db, find, stopping, now = () => new Date() }: ReadMetricsOptions,
): Promise<void> {
  const cluster = find(clusterId);
  // Without a complete view, pods would look missing.
  if (!cluster?.view.isWhole()) return;
  const namespaces = [...new Set(exposures.map((each) => each.workload.namespace))];
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(answersWithinMs)]);
  let metrics: ResourceMetrics;
  try {
    metrics = await cluster.readMetrics(namespaces, signal);
  } catch (error) {
    if (stopping.aborted) return;
    const ids = exposures.map((each) => each.id);
    const problem = explainMetricsError(error, cluster);
    await inTransaction(db, (tx) => recordMetricsProblem(tx, ids, problem, now()));
    return;
  }
  const { view } = cluster;
  await inTransaction(db, async (tx) => {
    for (const { id, workload } of exposures)
      await recordMetrics(tx, id, resourcesOf(metrics, view.podsOf({ workload }), view.nodes.items.values()), now());
  });
}
