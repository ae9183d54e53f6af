import type { CostFormat, ExportCosts } from "@fairlead/domain/cost";

type Shown = Required<Pick<ExportCosts, "from" | "to">> & Pick<ExportCosts, "clusterId">;

/** exportUrl is where the costs of the shown load balancers are downloaded, day by day. */
export function exportUrl({ from, to, clusterId }: Shown, format: CostFormat): string {
  const query = new URLSearchParams({ format });
  if (from) query.set("from", from.toISOString());
  if (to) query.set("to", to.toISOString());
  if (clusterId) query.set("clusterId", clusterId);
  return `/api/v1/costs/export?${query}`;
}
