"use client";
import type { ReactNode } from "react";
import { Button } from "../ui/action/button.tsx";

/** The actions for the selected rows. It floats, so that the layout stays stable when it appears. */
export function BulkBar({ count, onClear, children }: { count: number; onClear: () => void; children: ReactNode }) {
  if (count === 0) return null;
  return (
    <section
      aria-label="Selected rows"
      className="absolute bottom-4 left-1/2 z-20 flex w-max max-w-[calc(100%-1rem)] -translate-x-1/2 flex-wrap items-center gap-2 rounded-lg border bg-raised py-2 pr-2 pl-4 shadow-float"
    >
      <span role="status" className="tabular whitespace-nowrap text-sm">
        {count} selected
      </span>
      {children}
      <Button size="sm" variant="quiet" onClick={onClear}>
        Clear
      </Button>
    </section>
  );
}
