/** Of everything that an agent sees: where, and how old that is. */
export const seenColumns = [
  "id",
  "clusterId",
  "clusterName",
  "nodeId",
  "nodeName",
  "role",
  "observedAt",
  "reportIntervalMs",
  "isStale",
] as const;
