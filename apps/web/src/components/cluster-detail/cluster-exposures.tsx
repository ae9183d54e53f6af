"use client";
import type { Cluster, Exposure } from "@fairlead/domain";
import { useQuery } from "@tanstack/react-query";
import { AllLink } from "@/components/detail/all-link.tsx";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { Age } from "@/components/ui/age.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { PhaseStatus } from "@/components/ui/phase-status.tsx";
import { Section } from "@/components/ui/section.tsx";
import { TextLink } from "@/components/ui/text-link.tsx";
import { describePorts } from "@/components/words/ports.ts";
import { strategyWords } from "@/components/words/strategies.ts";
import { useTRPC } from "@/trpc/client.tsx";

const shown = 10;

/** What is exposed from a cluster, the latest change first. */
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
            Create one
          </TextLink>
        </>
      }
    >
      <RowsTable<Exposure>
        label="Exposures"
        rows={query.data?.items}
        rowKey={(exposure) => exposure.id}
        expected={Math.min(cluster.exposureCount, shown)}
        empty="Nothing is exposed from this cluster. An exposure says which ports of which workload should be reachable, and how."
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
            cell: (exposure) => <PhaseStatus phase={exposure.phase} observedAt={exposure.observedAt} />,
          },
          { label: "Strategy", wideOnly: true, cell: (exposure) => strategyWords[exposure.strategy.type].title },
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
