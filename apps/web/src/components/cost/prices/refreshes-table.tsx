import { type PriceRefresh, priceFeeds } from "@fairlead/domain/cost";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { count } from "@/components/words/numbers.ts";
import { describeRead, refreshLooks } from "./refresh-text.ts";

export function RefreshesTable({
  refreshes,
  chosen,
}: {
  refreshes: PriceRefresh[] | undefined;
  chosen: string | null;
}) {
  return (
    <RowsTable<PriceRefresh>
      label="Refreshes"
      rows={refreshes}
      rowKey={({ id }) => id}
      stacks
      empty={null}
      columns={[
        {
          label: "Feed",
          cell: ({ id, feed }) => (
            <TextLink
              href={`/costs/prices?refresh=${id}`}
              className="font-medium"
              aria-current={chosen === id ? "true" : undefined}
            >
              {priceFeeds[feed].title}
            </TextLink>
          ),
        },
        { label: "State", cell: ({ state }) => <StatusBadge status={refreshLooks[state]} /> },
        {
          label: "Requested",
          cell: ({ requestedAt, requestedBy }) => (
            <span>
              <Age at={requestedAt} /> <span className="text-muted text-xs">by {requestedBy}</span>
            </span>
          ),
        },
        { label: "Feed date", cell: ({ asOf }) => asOf ?? "" },
        {
          label: "Held",
          align: "end",
          cell: ({ waitingCount }) => (waitingCount > 0 ? count(waitingCount) : ""),
        },
        { label: "Result", wraps: true, cell: (refresh) => describeRead(refresh) },
      ]}
    />
  );
}
