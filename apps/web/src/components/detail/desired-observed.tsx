import type { ReactNode } from "react";
import { StatusGlyph } from "@/components/ui/status/status-badge.tsx";

export type Difference = { label: string; desired: ReactNode; observed: ReactNode };

/** The desired and the observed state side by side. Shown only while they differ. */
export function DesiredObserved({ sentence, differences }: { sentence: ReactNode; differences: Difference[] }) {
  return (
    <div className="rounded-md border border-warn/50 bg-warn-soft/40 px-4 py-3">
      <p className="flex items-center gap-2 font-medium text-sm">
        <StatusGlyph shape="half" className="text-warn" />
        {sentence}
      </p>
      <table className="tabular mt-2 w-full table-fixed text-sm">
        <caption className="sr-only">Desired and observed</caption>
        <thead>
          <tr className="text-muted text-xs">
            <th scope="col" className="w-28 py-1 text-left font-normal md:w-44">
              <span className="sr-only">Property</span>
            </th>
            <th scope="col" className="py-1 pr-4 text-left font-normal">
              Desired
            </th>
            <th scope="col" className="py-1 text-left font-normal">
              Observed
            </th>
          </tr>
        </thead>
        <tbody>
          {differences.map((each) => (
            <tr key={each.label} className="border-warn/30 border-t align-top">
              <th scope="row" className="py-1.5 pr-4 text-left font-normal text-muted">
                {each.label}
              </th>
              <td className="break-words py-1.5 pr-4">{each.desired}</td>
              <td className="break-words py-1.5">{each.observed}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
