import type { Condition } from "@fairlead/domain/exposure";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { LongText } from "@/components/ui/long-text.tsx";
import type { StatusLook } from "@/components/ui/status/status.ts";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";

const looks: Record<Condition["status"], StatusLook> = {
  true: { word: "Yes", shape: "disc", tone: "good" },
  false: { word: "No", shape: "square", tone: "warn" },
  unknown: { word: "Unknown", shape: "ring", tone: "silent" },
};

/** That an exposure is paused is neither good nor bad. */
function lookOf({ type, status }: Condition): StatusLook {
  return type === "Paused" && status === "true" ? { ...looks.true, tone: "accent" } : looks[status];
}

/** The conditions of an object, each with its reason. */
export function ConditionsTable({ conditions }: { conditions: Condition[] }) {
  return (
    <RowsTable<Condition>
      label="Conditions"
      rows={conditions}
      stacks
      rowKey={(condition) => condition.type}
      empty="No conditions yet. The control plane sets them within seconds."
      columns={[
        { label: "Condition", cell: (condition) => <span className="font-medium">{condition.type}</span> },
        { label: "Status", cell: (condition) => <StatusBadge status={lookOf(condition)} /> },
        { label: "Since", cell: (condition) => <Age at={condition.changedAt} /> },
        {
          label: "Reason",
          wraps: true,
          cell: (condition) => (
            <>
              <LongText text={condition.message} />{" "}
              <span className="font-mono text-muted text-xs">{condition.reason}</span>
            </>
          ),
        },
      ]}
    />
  );
}
