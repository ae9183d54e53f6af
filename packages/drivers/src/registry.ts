import type { ClusterKind } from "@fairlead/domain/cluster";
import type { ExposureDriver } from "./exposure-driver.ts";
import type { KubernetesClusters } from "./kubernetes/clusters.ts";
import { kubernetesDriver } from "./kubernetes/driver.ts";

/** DriverFor picks who can make an exposure real in a cluster; null when nobody can yet. */
export type DriverFor = (cluster: { id: string; kind: ClusterKind }) => ExposureDriver | null;

/** driversOf finds the driver of a cluster among those that are attached. */
export function driversOf(clusters: Pick<KubernetesClusters, "find">): DriverFor {
  return ({ id, kind }) => {
    const cluster = kind === "kubernetes" ? clusters.find(id) : null;
    return cluster ? kubernetesDriver(cluster) : null;
  };
}
