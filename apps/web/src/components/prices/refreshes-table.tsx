import { feedName, type PriceRefresh } from "@fairlead/domain";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { Age } from "@/components/ui/age.tsx";
import { StatusBadge } from "@/components/ui/status-badge.tsx";
import { TextLink } from "@/components/ui/text-link.tsx";
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
      label="Readings"
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
              {feedName(feed)}
            </TextLink>
          ),
        },
        { label: "State", cell: ({ state }) => <StatusBadge status={refreshLooks[state]} /> },
        {
          label: "Asked for",
          cell: ({ askedAt, askedBy }) => (
            <span>
              <Age at={askedAt} /> <span className="text-muted text-xs">by {askedBy}</span>
            </span>
          ),
        },
        { label: "Feed of", cell: ({ asOf }) => asOf ?? "" },
        {
          label: "Waiting",
          align: "end",
          cell: ({ waitingCount }) => (waitingCount > 0 ? count(waitingCount) : ""),
        },
        { label: "What came of it", wraps: true, cell: (refresh) => describeRead(refresh) },
      ]}
    />
  );
}
