import type { Cluster } from "@fairlead/domain";

export const clusterColumns = [
  "id",
  "name",
  "kind",
  "region",
  "labels",
  "generation",
  "nodeCount",
  "silentNodeCount",
  "exposureCount",
  "loadBalancerCount",
  "createdAt",
  "updatedAt",
] as const satisfies readonly (keyof Cluster)[];
