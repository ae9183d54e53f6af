import { PageHeader } from "../ui/layout/page-header.tsx";
import { Skeleton } from "../ui/layout/skeleton.tsx";
import { type ColumnHead, shownColumns } from "./columns.ts";
import { GridHeader, GridRow, GridRows } from "./grid.tsx";
import { PlaceholderRow } from "./table-row.tsx";

const rows = Array.from({ length: 18 }, (_, i) => i);

/** A list before its first response: the same title, the same columns, rows of the same height. */
export function ListSkeleton({
  title,
  sentence,
  columns,
  hasAction = false,
}: {
  title: string;
  sentence: string;
  columns: readonly ColumnHead[];
  hasAction?: boolean;
}) {
  const shown = shownColumns(columns, null);
  const style = {
    "--columns": shown.map((column) => column.width).join(" "),
    "--min-width": `${shown.reduce((sum, column) => sum + column.minRem + 1, 3)}rem`,
    "--rows": rows.length,
  } as React.CSSProperties;
  return (
    <div className="flex h-full min-h-0 flex-col" aria-busy="true">
      <PageHeader
        title={title}
        sentence={sentence}
        actions={hasAction ? <Skeleton className="h-8 w-32" /> : undefined}
      />
      <div className="flex items-center gap-2 border-b px-4 pb-3 md:px-6">
        <Skeleton className="h-8 w-72 max-w-[60vw]" />
      </div>
      <div className="data-table-frame min-h-0 flex-1 overflow-hidden">
        <div aria-hidden className="data-table text-sm" style={style}>
          <GridRows className="data-table-head">
            <GridRow>
              {shown.map((column) => (
                <GridHeader key={column.id} data-align={column.align} className="font-normal text-muted text-xs">
                  {column.label}
                </GridHeader>
              ))}
            </GridRow>
          </GridRows>
          <GridRows className="data-table-body">
            {rows.map((index) => (
              <PlaceholderRow key={index} index={index} columns={shown} />
            ))}
          </GridRows>
        </div>
      </div>
    </div>
  );
}
