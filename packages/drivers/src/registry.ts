import type { ClusterKind } from "@fairlead/domain";
import type { ExposureDriver } from "./exposure-driver.ts";

/** DriverFor picks who can make an exposure real in a cluster; null when nobody can yet. */
export type DriverFor = (cluster: { id: string; kind: ClusterKind }) => ExposureDriver | null;

// One entry per kind of cluster; clusterKindsWithDriver in domain names the same kinds.
const drivers: Partial<Record<ClusterKind, ExposureDriver>> = {};

export const driverFor: DriverFor = (cluster) => drivers[cluster.kind] ?? null;
