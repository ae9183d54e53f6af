"use client";
import type { Cluster } from "@fairlead/domain/cluster";
import { type Exposure, strategies } from "@fairlead/domain/exposure";
import { useQuery } from "@tanstack/react-query";
import { AllLink } from "@/components/detail/all-link.tsx";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { PhaseStatus } from "@/components/ui/status/phase-status.tsx";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { describePorts } from "@/components/words/ports.ts";
import { useTRPC } from "@/trpc/client.tsx";

const shown = 10;

/** The exposures of a cluster, the latest change first. */
export function ClusterExposures({ cluster }: { cluster: Cluster }) {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.exposure.list.queryOptions({ clusterId: cluster.id, sort: "updatedAt", direction: "desc", limit: shown }),
  );
  return (
    <Section
      title="Exposures"
      actions={
        <>
          <AllLink href={`/exposures?cluster=${cluster.id}`} total={query.data?.total} shown={shown} />
          <TextLink href={`/exposures/new?cluster=${cluster.id}`} className="text-accent text-sm">
            Create exposure
          </TextLink>
        </>
      }
    >
      <RowsTable<Exposure>
        label="Exposures"
        rows={query.data?.items}
        query={query}
        rowKey={(exposure) => exposure.id}
        expected={Math.min(cluster.exposureCount, shown)}
        empty="No exposures in this cluster. Create one to make the ports of a workload reachable."
        columns={[
          {
            label: "Name",
            cell: (exposure) => (
              <TextLink href={`/exposures/${exposure.id}`} className="font-medium">
                {exposure.name}
              </TextLink>
            ),
          },
          {
            label: "State",
            cell: ({ phase, observedAt, pausedAt }) => (
              <span className="inline-flex flex-wrap gap-x-3">
                <PhaseStatus phase={phase} observedAt={observedAt} />
                {pausedAt ? <StatusBadge status="paused" /> : null}
              </span>
            ),
          },
          { label: "Strategy", wideOnly: true, cell: (exposure) => strategies[exposure.strategy.type].title },
          {
            label: "Address",
            cell: ({ addresses: [first, ...others] }) =>
              first ? (
                <>
                  <Mono>{first}</Mono>
                  {others.length > 0 ? <span className="text-muted text-xs"> +{others.length}</span> : null}
                </>
              ) : (
                <span className="text-muted">none yet</span>
              ),
          },
          { label: "Ports", wideOnly: true, cell: (exposure) => describePorts(exposure.ports) },
          { label: "Changed", align: "end", cell: (exposure) => <Age at={exposure.updatedAt} /> },
        ]}
      />
    </Section>
  );
}
