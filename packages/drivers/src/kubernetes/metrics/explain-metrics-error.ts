import { KubernetesError } from "../api/error.ts";
import type { KubernetesCluster } from "../clusters.ts";

/** explainMetricsError states why metrics.k8s.io returned no figures, and the cure. */
export function explainMetricsError(error: unknown, cluster: Pick<KubernetesCluster, "detailOf" | "explain">): string {
  if (error instanceof KubernetesError) {
    if (error.status === 404)
      return "metrics-server is not installed: the cluster has no API metrics.k8s.io. Install metrics-server there; its figures appear within a minute.";
    if (error.status === 403)
      return "Fairlead may not read metrics.k8s.io in this cluster. Apply the cluster's manifest again: it grants that.";
    if (error.status === 503 || error.status === 502 || error.status === 504)
      return `metrics-server is installed, but does not answer (${error.status}). Check its pods, and the APIService v1beta1.metrics.k8s.io.${tail(cluster.detailOf(error))}`;
  }
  return `${cluster.explain(error, "read the metrics of nodes and pods").message}.`;
}

function tail(detail: string): string {
  return detail ? ` The API reports: ${detail}.` : "";
}
