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
    "generation",
    "nodeCount",
    "silentNodeCount",
    "exposureCount",
    "loadBalancerCount",
    "createdAt",
    "updatedAt",
  ] as const satisfies readonly (keyof Cluster)[],
};
