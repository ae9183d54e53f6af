import type { WhatIf } from "@fairlead/domain/exposure";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { type ComparedRow, comparePredictions, describeOverload } from "./compare-predictions.ts";

/** What is predicted for now and after the change, side by side, with what isn't measured. */
export function WhatIfResult({ of }: { of: WhatIf }) {
  const { now, changed, port, protocol, observedAt, assumptions } = of;
  const overload = describeOverload(now, changed);
  return (
    <section aria-label="Prediction" aria-live="polite" className="flex min-w-0 flex-col gap-3">
      {overload ? <p className="rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">{overload}</p> : null}
      <RowsTable<ComparedRow>
        label="Prediction"
        rows={comparePredictions(now, changed)}
        rowKey={(row) => row.label}
        empty=""
        columns={[
          { label: "Figure", wraps: true, cell: ({ label }) => label },
          { label: "Now", align: "end", cell: (row) => row.now },
          {
            label: "With the change",
            align: "end",
            cell: (row) => (
              <span className={row.now === row.changed ? "text-muted" : "font-medium"}>{row.changed}</span>
            ),
          },
        ]}
      />
      <div className="flex flex-col gap-1 text-muted text-xs">
        <p>
          Simulated for port {port} {protocol.toUpperCase()}, from figures that agents reported; the oldest{" "}
          <Age at={observedAt} />.
        </p>
        <ul className="list-disc pl-4">
          {assumptions.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
      </div>
    </section>
  );
}
