import { viewSource } from "@fairlead/db";
import { cloudMetricsStatus } from "@fairlead/domain/cloud";
import { type Cluster, cluster } from "@fairlead/domain/cluster";
import { kubernetesStatus } from "@fairlead/domain/kubernetes";

export const clusterSource = viewSource("cluster_view", cluster);
export const kubernetesStatusSource = viewSource("kubernetes_status_view", kubernetesStatus);
export const cloudMetricsStatusSource = viewSource("cloud_metrics_status_view", cloudMetricsStatus);

type Shown = NonNullable<Cluster["kubernetes"]>;

/** As in the view: a time within JSON is a string. */
export type ClusterRow = Omit<Cluster, "kubernetes"> & {
  kubernetes: (Omit<Shown, "certificateExpiresAt"> & { certificateExpiresAt: string | null }) | null;
};

export function toCluster({ kubernetes, ...row }: ClusterRow): Cluster {
  const expiresAt = kubernetes?.certificateExpiresAt ?? null;
  return {
    ...row,
    kubernetes: kubernetes && { ...kubernetes, certificateExpiresAt: expiresAt === null ? null : new Date(expiresAt) },
  };
}
