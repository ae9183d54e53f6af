import type { ReactNode } from "react";

/** An empty list: what is missing and the next action. */
export function EmptyState({ title, children, actions }: { title: string; children?: ReactNode; actions?: ReactNode }) {
  return (
    <div className="flex max-w-xl flex-col items-start gap-2 px-4 py-10 md:px-6">
      <h2 className="font-semibold text-base">{title}</h2>
      {children ? <div className="text-muted text-sm">{children}</div> : null}
      {actions ? <div className="mt-2 flex flex-wrap gap-2">{actions}</div> : null}
    </div>
  );
}
