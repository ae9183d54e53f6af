import type { ReactNode } from "react";

/**
 * Charts side by side: three on wide screens, so that all charts of an object fit on two screens. The width is in rem like
 * that of lg, because Tailwind doesn't order breakpoints of different units.
 */
export function ChartGrid({ children }: { children: ReactNode }) {
  return <div className="grid gap-x-8 gap-y-6 lg:grid-cols-2 min-[87.5rem]:grid-cols-3">{children}</div>;
}
