import { strategies } from "@fairlead/domain/exposure";
import type { LoadBalancer } from "@fairlead/domain/load-balancer";
import { ClusterLink } from "@/components/table/cluster-link.tsx";
import type { Column } from "@/components/table/columns.ts";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { PhaseAge, PhaseStatus } from "@/components/ui/status/phase-status.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { describePorts } from "@/components/words/ports.ts";

export const loadBalancerColumns: readonly Column<LoadBalancer>[] = [
  {
    id: "name",
    label: "Name",
    width: "minmax(11rem, 2fr)",
    minRem: 11,
    narrow: "lead",
    isSortable: true,
    isFixed: true,
    cell: ({ id, name }) => (
      <TextLink href={`/load-balancers/${id}`} tabIndex={-1} className="font-medium">
        {name}
      </TextLink>
    ),
  },
  {
    id: "address",
    label: "Address",
    width: "minmax(9rem, 1.2fr)",
    minRem: 9,
    narrow: "line",
    isSortable: true,
    cell: ({ address }) =>
      address ? <Mono copy="pointer">{address}</Mono> : <span className="text-muted">none yet</span>,
  },
  {
    id: "phase",
    label: "State",
    width: "minmax(7.5rem, 8rem)",
    minRem: 7.5,
    narrow: "trail",
    isSortable: true,
    cell: ({ phase, observedAt }) => <PhaseStatus phase={phase} observedAt={observedAt} />,
  },
  {
    id: "strategy",
    label: "Strategy",
    width: "minmax(6rem, 7rem)",
    minRem: 6,
    narrow: "line",
    isSortable: true,
    cell: ({ strategy }) => strategies[strategy].title,
  },
  {
    id: "exposureName",
    label: "Exposure",
    width: "minmax(8rem, 1.5fr)",
    minRem: 8,
    narrow: "hidden",
    isSortable: true,
    cell: ({ exposureId, exposureName }) => (
      <TextLink href={`/exposures/${exposureId}`} tabIndex={-1}>
        {exposureName}
      </TextLink>
    ),
  },
  {
    id: "instance",
    label: "Instance",
    width: "minmax(7rem, 1fr)",
    minRem: 7,
    narrow: "hidden",
    isHiddenAtFirst: true,
    cell: ({ instance }) => instance ?? <span className="text-muted">all</span>,
  },
  {
    id: "clusterName",
    label: "Cluster",
    width: "minmax(7rem, 1fr)",
    minRem: 7,
    narrow: "line",
    isSortable: true,
    cell: ({ clusterId, clusterName }) => <ClusterLink id={clusterId} name={clusterName} />,
  },
  {
    id: "ports",
    label: "Ports",
    width: "minmax(7rem, 1fr)",
    minRem: 7,
    narrow: "hidden",
    isHiddenAtFirst: true,
    cell: ({ ports }) => <span className="tabular">{describePorts(ports)}</span>,
  },
  {
    id: "replicas",
    label: "Replicas",
    width: "4.5rem",
    minRem: 4.5,
    narrow: "hidden",
    align: "end",
    cell: ({ kind, replicasReady, replicasDesired }) =>
      kind === "cloud" ? (
        <span className="text-muted">cloud</span>
      ) : (
        <Share of={replicasDesired} ready={replicasReady} what="replicas ready" />
      ),
  },
  {
    id: "backends",
    label: "Backends",
    width: "4.5rem",
    minRem: 4.5,
    narrow: "hidden",
    align: "end",
    cell: ({ backendsUp, backendsTotal }) => <Share of={backendsTotal} ready={backendsUp} what="backends up" />,
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
];

/** "2/3", highlighted if some are missing. */
function Share({ ready, of, what }: { ready: number; of: number; what: string }) {
  return (
    <span className={ready < of ? "tabular font-medium text-warn" : "tabular"} title={`${ready} of ${of} ${what}`}>
      {ready}/{of}
    </span>
  );
}
