import type { NodeFacts } from "@fairlead/domain/node";
import { formatQuantity } from "@/components/charts/data/quantity.ts";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";

type Interface = NodeFacts["interfaces"][number];

/** The interfaces that the agent reports. Excluded ones never appear. */
export function InterfacesTable({ facts, excluded }: { facts: NodeFacts | null; excluded: string[] }) {
  return (
    <RowsTable<Interface>
      label="Interfaces"
      rows={facts?.interfaces ?? []}
      stacks
      rowKey={(each) => each.name}
      empty={
        facts
          ? `No interfaces are reported: all of them match the excluded ${excluded.join(", ")}.`
          : "Unknown until the first report."
      }
      columns={[
        { label: "Name", cell: (each) => <Mono copy={false}>{each.name}</Mono> },
        { label: "Link", cell: (each) => <StatusBadge status={each.up ? "up" : "down"} /> },
        {
          label: "Addresses",
          wraps: true,
          cell: (each) =>
            each.addresses.length > 0 ? (
              <span className="flex flex-wrap gap-x-3">
                {each.addresses.map((address) => (
                  <Mono key={address}>{address}</Mono>
                ))}
              </span>
            ) : (
              <span className="text-muted">none</span>
            ),
        },
        {
          label: "Speed",
          align: "end",
          cell: (each) =>
            each.speedBps > 0 ? formatQuantity(each.speedBps, "bps") : <span className="text-muted">unknown</span>,
        },
        { label: "MTU", align: "end", cell: (each) => formatBytes(each.mtu) },
        { label: "MAC", cell: (each) => (each.mac ? <Mono>{each.mac}</Mono> : "–") },
      ]}
    />
  );
}

/** An MTU is compared digit by digit, so it is never shown in KiB. */
function formatBytes(mtu: number): string {
  return `${mtu}\u00a0B`;
}
