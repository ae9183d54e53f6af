"use client";
import type { AddressPool } from "@fairlead/domain/address-pool";
import type { Cluster } from "@fairlead/domain/cluster";
import { useQuery } from "@tanstack/react-query";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { Meter } from "@/components/ui/meter.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { capacityOf, count } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { maxPools } from "./max-pools.ts";

/** The address pools of a cluster, and how much of each is in use. */
export function ClusterPools({ cluster }: { cluster: Cluster }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.addressPool.list.queryOptions({ clusterId: cluster.id, limit: maxPools }));
  return (
    <Section
      title="Address pools"
      actions={
        <TextLink href={`/address-pools?create=true&cluster=${cluster.id}`} className="text-accent text-sm">
          Create address pool
        </TextLink>
      }
    >
      <RowsTable<AddressPool>
        label="Address pools"
        rows={query.data?.items}
        query={query}
        rowKey={(pool) => pool.id}
        empty="No address pools. Create one: exposures with self-hosted balancers take their address from it."
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
