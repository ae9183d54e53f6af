export { type Clusters, followClusters } from "./follow-clusters.ts";
