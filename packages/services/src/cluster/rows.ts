import type { Cluster } from "@fairlead/domain";

export const clusterSource = {
  from: "cluster_view",
  columns: [
    "id",
    "name",
    "kind",
    "region",
    "labels",
    "routing",
    "cloudRoute",
    "kubernetes",
    "runsAs",
    "cloudMetrics",
    "generation",
    "nodeCount",
    "silentNodeCount",
    "exposureCount",
    "loadBalancerCount",
    "createdAt",
    "updatedAt",
  ] as const satisfies readonly (keyof Cluster)[],
};

type Shown = NonNullable<Cluster["kubernetes"]>;

/** As the view has it: a time within JSON is a text. */
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
