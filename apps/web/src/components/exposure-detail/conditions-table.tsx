import type { Condition } from "@fairlead/domain";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { Age } from "@/components/ui/age.tsx";
import type { StatusLook } from "@/components/ui/status.ts";
import { StatusBadge } from "@/components/ui/status-badge.tsx";

const looks: Record<Condition["status"], StatusLook> = {
  true: { word: "Yes", shape: "disc", tone: "good" },
  false: { word: "No", shape: "square", tone: "warn" },
  unknown: { word: "Unknown", shape: "ring", tone: "silent" },
};

/** Every fact that the control plane keeps about a thing, with its reason in a sentence. */
export function ConditionsTable({ conditions }: { conditions: Condition[] }) {
  return (
    <RowsTable<Condition>
      label="Conditions"
      rows={conditions}
      stacks
      rowKey={(condition) => condition.type}
      empty="None: the control plane writes them when it looks at this exposure, within seconds."
      columns={[
        { label: "Condition", cell: (condition) => <span className="font-medium">{condition.type}</span> },
        { label: "Holds", cell: (condition) => <StatusBadge status={looks[condition.status]} /> },
        { label: "Since", cell: (condition) => <Age at={condition.changedAt} /> },
        {
          label: "Why",
          wraps: true,
          cell: (condition) => (
            <>
              {condition.message} <span className="font-mono text-muted text-xs">{condition.reason}</span>
            </>
          ),
        },
      ]}
    />
  );
}
