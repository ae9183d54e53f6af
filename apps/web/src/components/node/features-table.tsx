import type { NodeFacts } from "@fairlead/domain/node";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import type { StatusLook } from "@/components/ui/status/status.ts";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { featureUse } from "./features.ts";

type Feature = NodeFacts["kernelFeatures"][number];

const yes: StatusLook = { word: "Available", shape: "disc", tone: "good" };
const no: StatusLook = { word: "Missing", shape: "ring", tone: "silent" };

/** The kernel features that agents use, their purpose, and how to enable missing ones. */
export function FeaturesTable({ facts }: { facts: NodeFacts | null }) {
  return (
    <RowsTable<Feature>
      label="Kernel features"
      rows={facts?.kernelFeatures ?? []}
      stacks
      rowKey={(feature) => feature.name}
      empty="Unknown until the first report."
      columns={[
        { label: "Feature", cell: (feature) => <span className="font-medium">{featureUse(feature.name).title}</span> },
        { label: "State", cell: (feature) => <StatusBadge status={feature.available ? yes : no} /> },
        { label: "Used by", wraps: true, cell: (feature) => featureUse(feature.name).use },
        {
          label: "Reason",
          wraps: true,
          className: "text-muted",
          cell: (feature) => (feature.available ? "" : feature.reason || "No reason reported."),
        },
      ]}
    />
  );
}
