import type { RowsColumn } from "@/components/detail/rows-table.tsx";
import { TextLink } from "@/components/ui/text-link.tsx";

export type OfBalancer = { loadBalancerId?: string };
/** What balancers are called, by id. Left out where there is only one. */
export type BalancerNames = ReadonlyMap<string, string>;

/** Whose a row is, where rows of several balancers are together. */
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
