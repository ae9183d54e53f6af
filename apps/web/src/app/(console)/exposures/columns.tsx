import { type Exposure, strategies } from "@fairlead/domain/exposure";
import { ClusterLink } from "@/components/table/cluster-link.tsx";
import type { Column } from "@/components/table/columns.ts";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { PhaseAge, PhaseStatus } from "@/components/ui/status/phase-status.tsx";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { describePorts, describeTarget } from "@/components/words/ports.ts";

export const exposureColumns: readonly Column<Exposure>[] = [
  {
    id: "name",
    label: "Name",
    width: "minmax(10rem, 2fr)",
    minRem: 10,
    narrow: "lead",
    isSortable: true,
    isFixed: true,
    cell: ({ id, name }) => (
      <TextLink href={`/exposures/${id}`} tabIndex={-1} className="font-medium">
        {name}
      </TextLink>
    ),
  },
  {
    id: "phase",
    label: "State",
    width: "minmax(10.25rem, 11rem)",
    minRem: 10.25,
    narrow: "trail",
    isSortable: true,
    cell: ({ phase, observedAt, pausedAt }) => (
      <span className="flex items-center gap-x-3">
        <PhaseStatus phase={phase} observedAt={observedAt} />
        {pausedAt ? <StatusBadge status="paused" /> : null}
      </span>
    ),
  },
  {
    id: "strategy",
    label: "Strategy",
    width: "minmax(6rem, 7rem)",
    minRem: 6,
    narrow: "line",
    isSortable: true,
    cell: ({ strategy }) => strategies[strategy.type].title,
  },
  {
    id: "addresses",
    label: "Address",
    width: "minmax(9rem, 1.2fr)",
    minRem: 9,
    narrow: "line",
    cell: ({ addresses }) => <Addresses addresses={addresses} />,
  },
  {
    id: "ports",
    label: "Ports",
    width: "minmax(7rem, 1fr)",
    minRem: 7,
    narrow: "hidden",
    cell: ({ ports }) => <span className="tabular">{describePorts(ports)}</span>,
  },
  {
    id: "workload",
    label: "Workload",
    width: "minmax(9rem, 1.2fr)",
    minRem: 9,
    narrow: "hidden",
    isHiddenAtFirst: true,
    cell: ({ workload }) => describeTarget(workload),
  },
  {
    id: "clusterName",
    label: "Cluster",
    width: "minmax(6.75rem, 1.2fr)",
    minRem: 6.75,
    narrow: "line",
    isSortable: true,
    cell: ({ clusterId, clusterName }) => <ClusterLink id={clusterId} name={clusterName} />,
  },
  {
    id: "loadBalancerCount",
    label: "Balancers",
    width: "5rem",
    minRem: 5,
    narrow: "hidden",
    align: "end",
    cell: ({ loadBalancerCount }) => <span className="tabular">{loadBalancerCount}</span>,
  },
  {
    id: "observedAt",
    label: "Seen",
    width: "7rem",
    minRem: 7,
    narrow: "hidden",
    align: "end",
    cell: ({ phase, observedAt }) => <PhaseAge phase={phase} observedAt={observedAt} />,
  },
  {
    id: "updatedAt",
    label: "Changed",
    width: "6.5rem",
    minRem: 6.5,
    narrow: "hidden",
    align: "end",
    isSortable: true,
    isHiddenAtFirst: true,
    cell: ({ updatedAt }) => <Age at={updatedAt} />,
  },
  {
    id: "createdAt",
    label: "Created",
    width: "6.5rem",
    minRem: 6.5,
    narrow: "hidden",
    align: "end",
    isSortable: true,
    isHiddenAtFirst: true,
    cell: ({ createdAt }) => <Age at={createdAt} />,
  },
];

function Addresses({ addresses }: { addresses: readonly string[] }) {
  const [first, ...others] = addresses;
  if (!first) return <span className="text-muted">none yet</span>;
  return (
    <span className="inline-flex max-w-full items-center gap-1.5">
      <Mono copy="pointer">{first}</Mono>
      {others.length > 0 ? <span className="text-muted text-xs">+{others.length}</span> : null}
    </span>
  );
}
