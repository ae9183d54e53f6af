import { formatEndpoint } from "@fairlead/domain/address";
import type { AddressMapping } from "@fairlead/domain/address-map";
import { exposureLookedAtEveryMs } from "@fairlead/domain/node";
import { ReadyBadge } from "@/components/address-map/ready-badge.tsx";
import { InstanceCost } from "@/components/cost/instance-cost.tsx";
import { ClusterLink } from "@/components/table/cluster-link.tsx";
import type { Column } from "@/components/table/columns.ts";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { Age } from "@/components/ui/time/age.tsx";

export const mappingColumns: readonly Column<AddressMapping>[] = [
  {
    id: "instance",
    label: "Instance",
    width: "minmax(9rem, 1.4fr)",
    minRem: 9,
    narrow: "lead",
    isSortable: true,
    isFixed: true,
    cell: ({ instance }) => <span className="truncate font-medium">{instance}</span>,
  },
  {
    id: "internalAddress",
    label: "Internal",
    width: "minmax(10rem, 1.2fr)",
    minRem: 10,
    narrow: "line",
    isSortable: true,
    cell: ({ internalAddress, internalPort }) => (
      <Mono copy="pointer">{formatEndpoint(internalAddress, internalPort)}</Mono>
    ),
  },
  {
    id: "externalAddress",
    label: "External",
    width: "minmax(10rem, 1.2fr)",
    minRem: 10,
    narrow: "line",
    isSortable: true,
    cell: ({ externalAddress, externalPort }) =>
      externalAddress ? (
        <Mono copy="pointer">{formatEndpoint(externalAddress, externalPort)}</Mono>
      ) : (
        <span className="text-muted">none yet</span>
      ),
  },
  {
    id: "protocol",
    label: "Protocol",
    width: "4.5rem",
    minRem: 4.5,
    narrow: "hidden",
    isHiddenAtFirst: true,
    cell: ({ protocol }) => protocol.toUpperCase(),
  },
  {
    id: "serverName",
    label: "TLS server name",
    width: "minmax(10rem, 1.2fr)",
    minRem: 10,
    narrow: "hidden",
    isHiddenAtFirst: true,
    cell: ({ serverName }) =>
      serverName === null ? <span className="text-muted">none</span> : <Mono copy="pointer">{serverName}</Mono>,
  },
  {
    id: "ready",
    label: "State",
    width: "minmax(6rem, 6.5rem)",
    minRem: 6,
    narrow: "trail",
    cell: ({ ready }) => <ReadyBadge ready={ready} />,
  },
  {
    id: "node",
    label: "Node",
    width: "minmax(7rem, 1fr)",
    minRem: 7,
    narrow: "hidden",
    isSortable: true,
    cell: ({ node }) => node ?? <span className="text-muted">not seen</span>,
  },
  {
    id: "pod",
    label: "Pod",
    width: "minmax(7rem, 1fr)",
    minRem: 7,
    narrow: "hidden",
    isHiddenAtFirst: true,
    cell: ({ pod }) => pod ?? <span className="text-muted">not seen</span>,
  },
  {
    id: "exposureName",
    label: "Exposure",
    width: "minmax(8rem, 1.2fr)",
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
    id: "clusterName",
    label: "Cluster",
    width: "minmax(6rem, 1fr)",
    minRem: 6,
    narrow: "hidden",
    isSortable: true,
    cell: ({ clusterId, clusterName }) => <ClusterLink id={clusterId} name={clusterName} />,
  },
  {
    id: "cost",
    label: "Cost this month",
    width: "8.5rem",
    minRem: 8.5,
    narrow: "hidden",
    align: "end",
    cell: (mapping) => <InstanceCost mapping={mapping} />,
  },
  {
    id: "generation",
    label: "Generation",
    width: "6rem",
    minRem: 6,
    narrow: "hidden",
    align: "end",
    isHiddenAtFirst: true,
    cell: ({ generation }) => <span className="tabular">{generation}</span>,
  },
  {
    id: "since",
    label: "Since",
    width: "6.5rem",
    minRem: 6.5,
    narrow: "hidden",
    align: "end",
    isSortable: true,
    cell: ({ since }) => <Age at={since} />,
  },
  {
    id: "observedAt",
    label: "Seen",
    width: "6.5rem",
    minRem: 6.5,
    narrow: "hidden",
    align: "end",
    isHiddenAtFirst: true,
    cell: ({ observedAt }) => <Age at={observedAt} expectedEveryMs={exposureLookedAtEveryMs} />,
  },
];
