import type { ReactNode } from "react";
import { classNames } from "@/components/ui/class-names.ts";
import { Skeleton } from "@/components/ui/layout/skeleton.tsx";
import { frame } from "./plot-frame.ts";

/** The axes of a chart that is loading, or that is empty and shows the reason. */
export function PlotSkeleton({ still, children }: { still: boolean; children?: ReactNode }) {
  return (
    <div className="absolute inset-0">
      <div
        className={classNames("absolute border-line border-b", !still && "motion-safe:animate-pulse")}
        style={{ left: frame.left, right: frame.right, top: frame.top, bottom: frame.bottom }}
      >
        {[0, 1, 2, 3].map((line) => (
          <div key={line} className="absolute inset-x-0 border-line border-t" style={{ top: `${line * 25}%` }} />
        ))}
      </div>
      <div
        className="absolute flex items-center justify-center text-center"
        style={{ left: frame.left, right: frame.right, top: frame.top, bottom: frame.bottom }}
      >
        {children ? <div className="max-w-md bg-canvas px-3 py-1">{children}</div> : null}
      </div>
    </div>
  );
}

/** Placeholder for the legend: a header and a row per line. */
export function LegendSkeleton({ lines }: { lines: number }) {
  return (
    <div aria-hidden>
      {Array.from({ length: lines + 1 }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: places, not things
        <div key={i} className="flex h-5 items-center">
          <Skeleton className={i === 0 ? "ml-auto h-2.5 w-60 max-w-full" : "h-2.5 w-full"} />
        </div>
      ))}
    </div>
  );
}
