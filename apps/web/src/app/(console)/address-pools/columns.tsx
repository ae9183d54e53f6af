import type { AddressPool } from "@fairlead/domain/address-pool";
import { ClusterLink } from "@/components/table/cluster-link.tsx";
import type { Column } from "@/components/table/columns.ts";
import { Meter } from "@/components/ui/meter.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { capacityOf, count } from "@/components/words/numbers.ts";

export const poolColumns: readonly Column<AddressPool>[] = [
  {
    id: "name",
    label: "Name",
    width: "minmax(10rem, 1.5fr)",
    minRem: 10,
    narrow: "lead",
    isSortable: true,
    isFixed: true,
    cell: ({ name }) => <span className="font-medium">{name}</span>,
  },
  {
    id: "prefix",
    label: "Prefix",
    width: "minmax(10rem, 1.2fr)",
    minRem: 10,
    narrow: "line",
    cell: ({ prefix }) => <Mono copy="pointer">{prefix}</Mono>,
  },
  {
    id: "clusterName",
    label: "Cluster",
    width: "minmax(8rem, 1fr)",
    minRem: 8,
    narrow: "line",
    isSortable: true,
    cell: ({ clusterId, clusterName }) => <ClusterLink id={clusterId} name={clusterName} />,
  },
  {
    id: "note",
    label: "Note",
    width: "minmax(8rem, 1.2fr)",
    minRem: 8,
    narrow: "line",
    cell: ({ note }) => note || <span className="text-muted">–</span>,
  },
  {
    id: "allocated",
    label: "In use",
    width: "minmax(13rem, 15rem)",
    minRem: 13,
    narrow: "trail",
    isSortable: true,
    cell: (pool) => <PoolUse pool={pool} />,
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

export function PoolUse({ pool }: { pool: Pick<AddressPool, "name" | "allocated" | "capacity"> }) {
  const isFull = pool.allocated >= pool.capacity;
  return (
    <span className="inline-flex items-center gap-2">
      <Meter ratio={pool.capacity > 0 ? pool.allocated / pool.capacity : 1} label={`${pool.name} in use`} />
      <span className="tabular">
        {count(pool.allocated)} of {capacityOf(pool.capacity)}
        {isFull ? <span className="text-bad"> · full</span> : null}
      </span>
    </span>
  );
}
