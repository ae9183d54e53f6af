import type { ExposureDetail, PlacementDetail } from "@fairlead/domain/exposure";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { LongText } from "@/components/ui/long-text.tsx";
import { PhaseStatus } from "@/components/ui/status/phase-status.tsx";
import { Age } from "@/components/ui/time/age.tsx";

/** The clusters that an exposure spans: their requested shares, and what the routers' kernels do. */
export function PlacementsTable({ exposure }: { exposure: ExposureDetail }) {
  return (
    <RowsTable<PlacementDetail>
      label="Clusters"
      rows={exposure.clusters}
      stacks
      rowKey={(each) => each.loadBalancerId}
      empty="Only its own cluster."
      columns={[
        {
          label: "Cluster",
          cell: ({ clusterId, clusterName }) => (
            <TextLink href={`/clusters/${clusterId}`} className="font-medium">
              {clusterName}
            </TextLink>
          ),
        },
        { label: "State", cell: ({ phase }) => <PhaseStatus phase={phase} observedAt={exposure.observedAt} /> },
        { label: "Requested", align: "end", cell: ({ share }) => requested(share) },
        {
          label: "At routers",
          align: "end",
          cell: ({ routedShare }) =>
            routedShare === null ? <span className="text-muted">not reported</span> : percent(routedShare),
        },
        { label: "Seen", align: "end", cell: ({ routedAt }) => <Age at={routedAt} /> },
        { label: "Message", wraps: true, cell: ({ message }) => <LongText text={message} /> },
      ]}
    />
  );
}

function requested(share: number | null): string {
  if (share === null) return "none";
  return share === 0 ? "stands by" : percent(share);
}

const percent = (value: number): string => `${value} %`;
