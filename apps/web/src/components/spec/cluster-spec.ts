import { type CloudRoute, describeCloudRouteEffects } from "@fairlead/domain/cloud";
import { type Cluster, type CreateCluster, type UpdateCluster, updateCluster } from "@fairlead/domain/cluster";
import { describeRoutingEffects, type ShownClusterRouting } from "@fairlead/domain/routing";
import { readSpec } from "./read-spec.ts";

/** What a version has. Access to Kubernetes and cloud metrics need secrets, which are in no version. */
const versioned = updateCluster.pick({
  name: true,
  region: true,
  labels: true,
  runsAs: true,
  routing: true,
  cloudRoute: true,
});

/** clusterSpec returns what creates this cluster again. */
export function clusterSpec({ name, kind, region, labels }: Cluster): CreateCluster {
  return { name, kind, region, labels };
}

/** clusterSettings returns what is set of a cluster after it is created, without secrets; null if nothing is. */
export function clusterSettings({ runsAs, routing, cloudRoute }: Cluster): UpdateCluster | null {
  const settings = {
    ...(runsAs ? { runsAs } : {}),
    ...(routing ? { routing: withoutFlag(routing) } : {}),
    ...(cloudRoute ? { cloudRoute } : {}),
  };
  return Object.keys(settings).length > 0 ? settings : null;
}

export function readClusterSpec(stored: unknown): UpdateCluster | null {
  if (typeof stored !== "object" || stored === null) return null;
  const { routing = null, ...rest } = stored as { routing?: ShownClusterRouting | null };
  // The entry of a creation has none of these: they are only set later.
  return readSpec(versioned, { runsAs: null, cloudRoute: null, ...rest, routing: routing && withoutFlag(routing) });
}

/** describeClusterEffects lists what restoring a version does to clients. */
export function describeClusterEffects(
  current: Cluster,
  { routing = null, cloudRoute = null }: UpdateCluster,
): string[] {
  return [
    ...(current.routing ? describeRoutingEffects(current.routing, routing) : []),
    ...(current.cloudRoute ? describeCloudRouteEffects(current.cloudRoute, cloudRoute) : []),
  ];
}

/** lacksKey reports whether a version's cloud route needs an access key, which no version has. */
export function lacksKey(current: CloudRoute | null, restored: CloudRoute | null): boolean {
  return restored !== null && current?.endpoint !== restored.endpoint;
}

function withoutFlag({ hasPassword: _, ...routing }: ShownClusterRouting) {
  return routing;
}
