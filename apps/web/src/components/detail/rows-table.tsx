import type { ReactNode } from "react";
import { classNames } from "@/components/ui/class-names.ts";
import { Skeleton } from "@/components/ui/skeleton.tsx";

export type RowsColumn<Row> = {
  label: string;
  cell: (row: Row) => ReactNode;
  align?: "end";
  /** Left out where the page is narrow. */
  wideOnly?: boolean;
  /** Its cells explain themselves: a column of buttons. */
  hidesLabel?: boolean;
  /** May break over several lines. */
  wraps?: boolean;
  className?: string;
};

/** A short table on a page about something else: all its rows, no controls. Lists of any length have the data table. */
export function RowsTable<Row>(props: {
  label: string;
  columns: RowsColumn<Row>[];
  rows: Row[] | undefined;
  rowKey: (row: Row) => string;
  /** How many rows to keep a place for until they come. */
  expected?: number;
  empty: ReactNode;
}) {
  const { columns, rows } = props;
  if (rows?.length === 0) return <div className="py-2 text-muted text-sm">{props.empty}</div>;
  return (
    <div className="-mx-4 overflow-x-auto px-4 md:mx-0 md:px-0">
      <table className="w-full text-sm" aria-busy={!rows}>
        <caption className="sr-only">{props.label}</caption>
        <thead>
          <tr className="border-b text-muted text-xs">
            {columns.map((column) => (
              <th
                key={column.label}
                scope="col"
                className={classNames("h-7 pr-6 text-left font-normal last:pr-0", look(column))}
              >
                {column.hidesLabel ? <span className="sr-only">{column.label}</span> : column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows
            ? rows.map((row) => (
                <tr key={props.rowKey(row)} className="border-b last:border-b-0">
                  {columns.map((column) => (
                    <td
                      key={column.label}
                      className={classNames(
                        "tabular h-9 py-1 pr-6 last:pr-0",
                        column.wraps ? "min-w-48" : "whitespace-nowrap",
                        look(column),
                        column.className,
                      )}
                    >
                      {column.cell(row)}
                    </td>
                  ))}
                </tr>
              ))
            : Array.from({ length: props.expected ?? 2 }, (_, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: places, not things
                <tr key={i} className="border-b last:border-b-0">
                  {columns.map((column) => (
                    <td key={column.label} className={classNames("h-9 pr-6 last:pr-0", look(column))}>
                      <Skeleton className="w-20" />
                    </td>
                  ))}
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  );
}

function look<Row>(column: RowsColumn<Row>): string {
  return classNames(column.align === "end" && "text-right", column.wideOnly && "max-md:hidden");
}
