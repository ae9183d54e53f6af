import type { ClusterKind } from "@fairlead/domain/cluster";
import type { ExposureDriver } from "./exposure-driver.ts";
import type { KubernetesClusters } from "./kubernetes/clusters.ts";
import { kubernetesDriver } from "./kubernetes/driver.ts";

/** DriverFor returns the driver for exposures in a cluster; null if there is none yet. */
export type DriverFor = (cluster: { id: string; kind: ClusterKind }) => ExposureDriver | null;

/** driversOf returns the drivers of the attached clusters. */
export function driversOf(clusters: Pick<KubernetesClusters, "find">): DriverFor {
  return ({ id, kind }) => {
    const cluster = kind === "kubernetes" ? clusters.find(id) : null;
    return cluster ? kubernetesDriver(cluster) : null;
  };
}
