import type { ReactNode } from "react";

/** Charts side by side: three on wide screens, so that all charts of an object fit on two screens. */
export function ChartGrid({ children }: { children: ReactNode }) {
  return <div className="grid gap-x-8 gap-y-6 lg:grid-cols-2 min-[1400px]:grid-cols-3">{children}</div>;
}
