import type { ReactNode } from "react";
import { classNames } from "@/components/ui/class-names.ts";
import { Skeleton } from "@/components/ui/layout/skeleton.tsx";

export type Figure = {
  label: string;
  value: ReactNode;
  /** What the value refers to, and its age. */
  note?: ReactNode;
  /** The source is silent, so the value is old. */
  stale?: boolean;
  tone?: "warn" | "bad" | undefined;
};

/** The four most important values of a page, in large type. */
export function Figures({ figures }: { figures: Figure[] }) {
  return (
    <dl className="grid grid-cols-2 border-y md:grid-cols-4">
      {figures.map((figure, i) => (
        <div
          key={figure.label}
          className={classNames(
            "flex min-w-0 flex-col gap-0.5 px-4 py-3 md:px-6",
            i % 2 === 1 && "border-l",
            i >= 2 && "border-t md:border-t-0",
            i === 2 && "md:border-l",
          )}
        >
          <dt className="text-muted text-xs">{figure.label}</dt>
          <dd
            className={classNames(
              "tabular truncate font-semibold text-2xl tracking-tight",
              figure.tone === "warn" && "text-warn",
              figure.tone === "bad" && "text-bad",
              figure.stale && "text-silent",
            )}
          >
            {figure.value}
          </dd>
          <dd className="tabular min-h-4 text-muted text-xs">{figure.note}</dd>
        </div>
      ))}
    </dl>
  );
}

export function FiguresSkeleton({ labels }: { labels: string[] }) {
  return (
    <Figures
      figures={labels.map((label) => ({
        label,
        value: <Skeleton className="my-1 h-6 w-20" />,
        note: <Skeleton className="h-3 w-28" />,
      }))}
    />
  );
}
