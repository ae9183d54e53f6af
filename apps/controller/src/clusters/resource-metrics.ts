import { type Db, inTransaction } from "@fairlead/db";
import { explainMetricsError, type KubernetesCluster } from "@fairlead/drivers/kubernetes";
import { type MeasuredExposure, recordMetrics, recordMetricsProblem, selectMeasured } from "@fairlead/services";
import { resourcesOf } from "./resources-of.ts";

export type ReadMetricsOptions = {
  db: Db;
  find: (clusterId: string) => KubernetesCluster | null;
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
  try {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(answersWithinMs)]);
    const metrics = await cluster.readMetrics(namespaces, signal);
    const at = now();
    await inTransaction(db, async (tx) => {
      for (const { id, workload } of exposures) {
        const resources = resourcesOf(metrics, cluster.view.podsOf({ workload }), cluster.view.nodes.items.values());
        await recordMetrics(tx, id, resources, at);
      }
    });
  } catch (error) {
    if (stopping.aborted) return;
    const problem = explainMetricsError(error, cluster);
    const ids = exposures.map((each) => each.id);
    await inTransaction(db, (tx) => recordMetricsProblem(tx, ids, problem, now()));
  }
}
