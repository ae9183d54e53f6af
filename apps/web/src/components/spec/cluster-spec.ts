import { type Cluster, type CreateCluster, type UpdateCluster, updateCluster } from "@fairlead/domain/cluster";
import { readSpec } from "./read-spec.ts";

/** What a version can restore. Routing, Kubernetes and cloud settings have secrets, which are in no version. */
const restored = updateCluster.pick({ name: true, region: true, labels: true, runsAs: true });

/** clusterSpec returns what creates this cluster again. */
export function clusterSpec({ name, kind, region, labels }: Cluster): CreateCluster {
  return { name, kind, region, labels };
}

export function readClusterSpec(stored: unknown): UpdateCluster | null {
  // The entry of a creation has no billing: it is only set later.
  return readSpec(restored, typeof stored === "object" ? stored && { runsAs: null, ...stored } : stored);
}
