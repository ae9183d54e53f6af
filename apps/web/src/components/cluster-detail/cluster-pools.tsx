"use client";
import type { AddressPool, Cluster } from "@fairlead/domain";
import { useQuery } from "@tanstack/react-query";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { Meter } from "@/components/ui/meter.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { Section } from "@/components/ui/section.tsx";
import { TextLink } from "@/components/ui/text-link.tsx";
import { capacityOf, count } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { poolsShown } from "./pools-shown.ts";

/** The prefixes that addresses come from, and how much of each is taken. */
export function ClusterPools({ cluster }: { cluster: Cluster }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.pool.list.queryOptions({ clusterId: cluster.id, limit: poolsShown }));
  return (
    <Section
      title="Address pools"
      actions={
        <TextLink href={`/address-pools?create=true&cluster=${cluster.id}`} className="text-accent text-sm">
          Create one
        </TextLink>
      }
    >
      <RowsTable<AddressPool>
        label="Address pools"
        rows={query.data?.items}
        rowKey={(pool) => pool.id}
        empty="No pool yet. Exposures with balancers of our own take their address from one."
        columns={[
          {
            label: "Name",
            cell: (pool) => (
              <TextLink href={`/address-pools?cluster=${cluster.id}&peek=${pool.id}`} className="font-medium">
                {pool.name}
              </TextLink>
            ),
          },
          { label: "Prefix", cell: (pool) => <Mono>{pool.prefix}</Mono> },
          {
            label: "In use",
            align: "end",
            cell: (pool) => (
              <span className="inline-flex items-center gap-2">
                {count(pool.allocated)} of {capacityOf(pool.capacity)}
                <Meter ratio={pool.allocated / pool.capacity} label={`${pool.name} in use`} />
              </span>
            ),
          },
        ]}
      />
    </Section>
  );
}
