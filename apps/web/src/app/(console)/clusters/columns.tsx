import type { Cluster } from "@fairlead/domain/cluster";
import type { Column } from "@/components/table/columns.ts";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { Badge } from "@/components/ui/status/badge.tsx";
import { StatusGlyph } from "@/components/ui/status/status-badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { clusterKindWords } from "@/components/words/clusters.ts";
import { count } from "@/components/words/numbers.ts";

export const clusterColumns: readonly Column<Cluster>[] = [
  {
    id: "name",
    label: "Name",
    width: "minmax(11rem, 1.5fr)",
    minRem: 11,
    narrow: "lead",
    isSortable: true,
    isFixed: true,
    cell: ({ id, name }) => (
      <TextLink href={`/clusters/${id}`} tabIndex={-1} className="font-medium">
        {name}
      </TextLink>
    ),
  },
  {
    id: "kind",
    label: "Kind",
    width: "minmax(6rem, 8rem)",
    minRem: 6,
    narrow: "line",
    isSortable: true,
    cell: ({ kind }) => clusterKindWords[kind].title,
  },
  {
    id: "region",
    label: "Region",
    width: "minmax(8rem, 1fr)",
    minRem: 8,
    narrow: "line",
    isSortable: true,
    cell: ({ region }) => region || <span className="text-muted">–</span>,
  },
  {
    id: "nodes",
    label: "Nodes",
    width: "minmax(9rem, 11rem)",
    minRem: 9,
    narrow: "trail",
    cell: (cluster) => <Nodes {...cluster} />,
  },
  {
    id: "exposureCount",
    label: "Exposures",
    width: "5.5rem",
    minRem: 5.5,
    narrow: "hidden",
    align: "end",
    cell: ({ id, exposureCount }) => (
      <TextLink href={`/exposures?cluster=${id}`} tabIndex={-1} className="tabular">
        {count(exposureCount)}
      </TextLink>
    ),
  },
  {
    id: "loadBalancerCount",
    label: "Load balancers",
    width: "7rem",
    minRem: 7,
    narrow: "hidden",
    align: "end",
    cell: ({ id, loadBalancerCount }) => (
      <TextLink href={`/load-balancers?cluster=${id}`} tabIndex={-1} className="tabular">
        {count(loadBalancerCount)}
      </TextLink>
    ),
  },
  {
    id: "labels",
    label: "Labels",
    width: "minmax(8rem, 1.5fr)",
    minRem: 8,
    narrow: "hidden",
    cell: ({ labels }) => (
      <span className="flex gap-1 overflow-hidden">
        {Object.entries(labels).map(([name, value]) => (
          <Badge key={name}>{value ? `${name}=${value}` : name}</Badge>
        ))}
      </span>
    ),
  },
  {
    id: "createdAt",
    label: "Created",
    width: "6.5rem",
    minRem: 6.5,
    narrow: "hidden",
    align: "end",
    isSortable: true,
    cell: ({ createdAt }) => <Age at={createdAt} />,
  },
];

function Nodes({ id, nodeCount, silentNodeCount }: Pick<Cluster, "id" | "nodeCount" | "silentNodeCount">) {
  return (
    <span className="tabular inline-flex items-center gap-2">
      <TextLink href={`/nodes?cluster=${id}`} tabIndex={-1}>
        {count(nodeCount)}
      </TextLink>
      {silentNodeCount > 0 ? (
        <TextLink
          href={`/nodes?cluster=${id}&state=silent`}
          tabIndex={-1}
          className="inline-flex items-center gap-1 text-warn"
        >
          <StatusGlyph shape="dash" />
          {count(silentNodeCount)} silent
        </TextLink>
      ) : null}
    </span>
  );
}
