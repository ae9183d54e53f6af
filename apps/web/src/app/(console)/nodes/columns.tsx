import type { Node } from "@fairlead/domain/node";
import { ClusterLink } from "@/components/table/cluster-link.tsx";
import type { Column } from "@/components/table/columns.ts";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { Meter } from "@/components/ui/meter.tsx";
import { NodeStatus } from "@/components/ui/status/node-status.tsx";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { useIsStale } from "@/components/ui/status/use-node-state.ts";
import { Age } from "@/components/ui/time/age.tsx";
import { percent } from "@/components/words/numbers.ts";

export const nodeColumns: readonly Column<Node>[] = [
  {
    id: "name",
    label: "Name",
    width: "minmax(11rem, 2fr)",
    minRem: 11,
    narrow: "lead",
    isSortable: true,
    isFixed: true,
    cell: ({ id, name }) => (
      <TextLink href={`/nodes/${id}`} tabIndex={-1} className="font-medium">
        {name}
      </TextLink>
    ),
  },
  {
    id: "state",
    label: "State",
    width: "minmax(7rem, 12rem)",
    minRem: 7,
    narrow: "trail",
    isSortable: true,
    cell: (node) => (
      <span className="inline-flex flex-wrap items-center gap-x-3">
        <NodeStatus of={node} />
        {node.drainingSince ? <StatusBadge status="draining" /> : null}
      </span>
    ),
  },
  {
    id: "lastReportAt",
    label: "Reported",
    width: "7.5rem",
    minRem: 7.5,
    narrow: "line",
    isSortable: true,
    cell: ({ lastReportAt, reportIntervalMs }) => <Age at={lastReportAt} expectedEveryMs={reportIntervalMs} />,
  },
  {
    id: "clusterName",
    label: "Cluster",
    width: "minmax(7rem, 1.2fr)",
    minRem: 7,
    narrow: "line",
    isSortable: true,
    cell: ({ clusterId, clusterName }) => <ClusterLink id={clusterId} name={clusterName} />,
  },
  {
    id: "cpuUtilizationRatio",
    label: "CPU",
    width: "8rem",
    minRem: 8,
    narrow: "hidden",
    isSortable: true,
    cell: (node) => <Use of={node} ratio={node.cpuUtilizationRatio} what="CPU in use" />,
  },
  {
    id: "memoryUsedRatio",
    label: "Memory",
    width: "8rem",
    minRem: 8,
    narrow: "hidden",
    isSortable: true,
    cell: (node) => <Use of={node} ratio={node.memoryUsedRatio} what="memory in use" />,
  },
  {
    id: "load1",
    label: "Load, 1 min",
    width: "5.5rem",
    minRem: 5.5,
    narrow: "hidden",
    align: "end",
    isHiddenAtFirst: true,
    cell: (node) => <Figure of={node}>{node.load1?.toFixed(2) ?? "–"}</Figure>,
  },
  {
    id: "cpuCount",
    label: "CPUs",
    width: "3.5rem",
    minRem: 3.5,
    narrow: "hidden",
    align: "end",
    cell: ({ cpuCount }) => <span className="tabular">{cpuCount ?? "–"}</span>,
  },
  {
    id: "agentVersion",
    label: "Agent",
    width: "minmax(5rem, 7rem)",
    minRem: 5,
    narrow: "hidden",
    cell: ({ agentVersion }) => agentVersion || <span className="text-muted">none</span>,
  },
  {
    id: "kernel",
    label: "Kernel",
    width: "minmax(8rem, 1fr)",
    minRem: 8,
    narrow: "hidden",
    isHiddenAtFirst: true,
    cell: ({ kernel }) => kernel ?? <span className="text-muted">unknown</span>,
  },
  {
    id: "createdAt",
    label: "Added",
    width: "6.5rem",
    minRem: 6.5,
    narrow: "hidden",
    align: "end",
    isSortable: true,
    isHiddenAtFirst: true,
    cell: ({ createdAt }) => <Age at={createdAt} />,
  },
];

function Figure({ of, children }: { of: Node; children: string }) {
  return <span className={useIsStale(of) ? "tabular text-silent" : "tabular"}>{children}</span>;
}

function Use({ of, ratio, what }: { of: Node; ratio: number | null; what: string }) {
  const stale = useIsStale(of);
  if (ratio === null) return <span className="text-muted">–</span>;
  return (
    <span className="inline-flex items-center gap-2">
      <Meter ratio={ratio} label={what} stale={stale} />
      <span className={stale ? "tabular text-silent" : "tabular"}>{percent(ratio)}</span>
    </span>
  );
}
