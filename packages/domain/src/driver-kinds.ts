import type { ClusterKind } from "./cluster.ts";

/** The kinds of cluster that a driver of this version can serve. The plan warns and the reconciler waits where it is absent. */
export const clusterKindsWithDriver: ReadonlySet<ClusterKind> = new Set<ClusterKind>();
