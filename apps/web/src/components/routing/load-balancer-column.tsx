import type { RowsColumn } from "@/components/detail/rows-table.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";

type OfBalancer = { loadBalancerId: string | null; loadBalancerName: string | null };

/** The load balancer of an external address, for users who may read address maps. */
export function loadBalancerColumn<Row extends OfBalancer>(): RowsColumn<Row> {
  return {
    label: "Load balancer",
    cell: ({ loadBalancerId, loadBalancerName }) =>
      loadBalancerId ? (
        <TextLink href={`/load-balancers/${loadBalancerId}`} className="font-medium">
          {loadBalancerName}
        </TextLink>
      ) : (
        <span className="text-muted">deleted</span>
      ),
  };
}
