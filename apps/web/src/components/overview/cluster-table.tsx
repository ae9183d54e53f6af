"use client";
import type { Cluster } from "@fairlead/domain";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { Link } from "../ui/link.tsx";

/** The clusters at a glance: what each has, and which of its nodes are silent. */
export function ClusterTable({ clusters }: { clusters: Cluster[] | undefined }) {
  return (
    <RowsTable<Cluster>
      label="Clusters"
      rows={clusters}
      rowKey={(cluster) => cluster.id}
      expected={1}
      empty={
        <>
          No cluster yet.{" "}
          <Link href="/clusters?create=true" className="text-accent hover:underline">
            Create one
          </Link>{" "}
          to enrol nodes into it.
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
