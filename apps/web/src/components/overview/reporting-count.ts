import type { Overview } from "@fairlead/domain/overview";

/** reportingCount is the number of nodes that report, in sync or not. */
export function reportingCount({ byState }: Overview["nodes"]): number {
  return byState["in-sync"] + byState["out-of-sync"];
}
