import type { RowsColumn } from "@/components/detail/rows-table.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";

export type OfBalancer = { loadBalancerId?: string };
/** Names of balancers, by id. Absent if there is only one. */
export type BalancerNames = ReadonlyMap<string, string>;

/** The balancer of a row, in tables that list several balancers. */
export function balancerColumn<Row extends OfBalancer>(names: BalancerNames | undefined): RowsColumn<Row>[] {
  if (!names || names.size < 2) return [];
  return [
    {
      label: "Load balancer",
      cell: ({ loadBalancerId = "" }) => (
        <TextLink href={`/load-balancers/${loadBalancerId}`}>{names.get(loadBalancerId) ?? loadBalancerId}</TextLink>
      ),
    },
  ];
}
