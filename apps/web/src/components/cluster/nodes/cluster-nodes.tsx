"use client";
import type { Cluster } from "@fairlead/domain/cluster";
import type { Node } from "@fairlead/domain/node";
import { useQuery } from "@tanstack/react-query";
import { formatQuantity } from "@/components/charts/data/quantity.ts";
import { AllLink } from "@/components/detail/all-link.tsx";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { useLiveInterval } from "@/components/detail/use-live-interval.ts";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { NodeStatus } from "@/components/ui/status/node-status.tsx";
import { useIsStale } from "@/components/ui/status/use-node-state.ts";
import { Age } from "@/components/ui/time/age.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { BalancerPods } from "./balancer-pods.tsx";

const shown = 10;

/** The nodes of a cluster, those with problems first. */
export function ClusterNodes({ cluster }: { cluster: Cluster }) {
  const trpc = useTRPC();
  const query = useQuery({
    ...trpc.node.list.queryOptions({ clusterId: cluster.id, sort: "state", direction: "desc", limit: shown }),
    refetchInterval: useLiveInterval(),
  });
  return (
    <Section
      title="Nodes"
      actions={
        <>
          <AllLink href={`/nodes?cluster=${cluster.id}`} total={query.data?.total} shown={shown} />
          {cluster.kind === "kubernetes" ? <BalancerPods cluster={cluster} /> : null}
        </>
      }
    >
      <RowsTable<Node>
        label="Nodes"
        rows={query.data?.items}
        query={query}
        stacks
        rowKey={(node) => node.id}
        expected={Math.min(cluster.nodeCount, shown)}
        empty={
          <>
            No nodes.{" "}
            <TextLink href={`/nodes?add=true&cluster=${cluster.id}`} className="text-accent underline">
              Add node
            </TextLink>
            : run one command on the machine.
          </>
        }
        columns={[
          {
            label: "Name",
            cell: (node) => (
              <TextLink href={`/nodes/${node.id}`} className="font-medium">
                {node.name}
              </TextLink>
            ),
          },
          { label: "State", cell: (node) => <NodeStatus of={node} /> },
          {
            label: "Reported",
            cell: (node) => <Age at={node.lastReportAt} expectedEveryMs={node.reportIntervalMs} />,
          },
          { label: "CPU", align: "end", cell: (node) => <Ratio node={node} ratio={node.cpuUtilizationRatio} /> },
          { label: "Memory", align: "end", cell: (node) => <Ratio node={node} ratio={node.memoryUsedRatio} /> },
          {
            label: "Agent",
            wideOnly: true,
            cell: (node) => node.agentVersion || <span className="text-muted">none</span>,
          },
        ]}
      />
    </Section>
  );
}

function Ratio({ node, ratio }: { node: Node; ratio: number | null }) {
  return <span className={useIsStale(node) ? "text-silent" : undefined}>{formatQuantity(ratio, "ratio")}</span>;
}
