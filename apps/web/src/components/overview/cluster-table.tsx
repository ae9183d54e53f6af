"use client";
import type { Cluster } from "@fairlead/domain/cluster";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { Link } from "../ui/action/link.tsx";

/** The clusters, with their counts and silent nodes. */
export function ClusterTable({ clusters }: { clusters: Cluster[] | undefined }) {
  return (
    <RowsTable<Cluster>
      label="Clusters"
      rows={clusters}
      rowKey={(cluster) => cluster.id}
      expected={1}
      empty={
        <>
          No clusters.{" "}
          <Link href="/clusters?create=true" className="text-accent hover:underline">
            Create a cluster
          </Link>{" "}
          to enrol nodes.
        </>
      }
      columns={[
        {
          label: "Cluster",
          cell: (cluster) => (
            <Link href={`/clusters/${cluster.id}`} className="font-medium hover:underline">
              {cluster.name}
            </Link>
          ),
        },
        { label: "Kind", cell: (cluster) => <span className="text-muted">{cluster.kind}</span> },
        { label: "Region", wideOnly: true, cell: (cluster) => cluster.region || <span className="text-muted">–</span> },
        { label: "Nodes", align: "end", cell: nodes },
        { label: "Exposures", align: "end", cell: (cluster) => cluster.exposureCount },
        { label: "Load balancers", align: "end", wideOnly: true, cell: (cluster) => cluster.loadBalancerCount },
      ]}
    />
  );
}

function nodes(cluster: Cluster) {
  if (cluster.silentNodeCount === 0) return cluster.nodeCount;
  return (
    <>
      {cluster.nodeCount}, <span className="text-bad">{cluster.silentNodeCount} silent</span>
    </>
  );
}
