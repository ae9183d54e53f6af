"use client";
import type { Cluster } from "@fairlead/domain/cluster";
import { DetailTabs } from "@/components/detail/detail-tabs.tsx";
import { SubjectEvents } from "@/components/detail/subject-events.tsx";
import { FleetNow } from "@/components/overview/fleet-now.tsx";
import { ClusterCloudMetrics } from "./cloud/cluster-cloud-metrics.tsx";
import { ClusterCloudRoute } from "./cloud/cluster-cloud-route.tsx";
import { ClusterExposures } from "./cluster-exposures.tsx";
import { ClusterPools } from "./cluster-pools.tsx";
import { ClusterSpec } from "./cluster-spec.tsx";
import { ClusterTokens } from "./cluster-tokens.tsx";
import { ClusterInventory } from "./kubernetes/cluster-inventory.tsx";
import { ClusterKubernetes } from "./kubernetes/cluster-kubernetes.tsx";
import { ClusterNodes } from "./nodes/cluster-nodes.tsx";
import { ClusterRouting } from "./routing/cluster-routing.tsx";

/** The parts of a cluster's page. Links to its settings name the tab that has them. */
export function ClusterTabs({ cluster }: { cluster: Cluster }) {
  const { id, name, kind, kubernetes, nodeCount, exposureCount } = cluster;
  return (
    <DetailTabs
      label={`Parts of ${name}`}
      tabs={[
        {
          id: "nodes",
          label: "Nodes",
          count: nodeCount,
          body: (
            <>
              <FleetNow clusterId={id} />
              <ClusterNodes cluster={cluster} />
              <ClusterTokens cluster={cluster} />
            </>
          ),
        },
        {
          id: "exposures",
          label: "Exposures",
          count: exposureCount,
          body: (
            <>
              <ClusterExposures cluster={cluster} />
              <ClusterPools cluster={cluster} />
            </>
          ),
        },
        ...(kind === "kubernetes"
          ? [
              {
                id: "kubernetes",
                label: "Kubernetes",
                body: (
                  <>
                    <ClusterKubernetes cluster={cluster} />
                    {kubernetes ? <ClusterInventory cluster={cluster} /> : null}
                  </>
                ),
              },
            ]
          : []),
        { id: "routing", label: "Routing", body: <ClusterRouting cluster={cluster} /> },
        {
          id: "cloud",
          label: "Cloud",
          body: (
            <>
              <ClusterCloudRoute cluster={cluster} />
              <ClusterCloudMetrics cluster={cluster} />
            </>
          ),
        },
        {
          id: "events",
          label: "Events",
          body: <SubjectEvents clusterId={id} empty="No events. Changes of nodes and exposures appear here." />,
        },
        { id: "spec", label: "Spec", body: <ClusterSpec cluster={cluster} /> },
      ]}
    />
  );
}
