"use client";
import "./rows-table.css";
import type { ReactNode } from "react";
import { classNames } from "@/components/ui/class-names.ts";
import { Skeleton } from "@/components/ui/layout/skeleton.tsx";
import { LoadError, type QueryState } from "./load-error.tsx";
import { useOverflows } from "./use-overflows.ts";

/** CSS display values remove the table roles, so the roles are set explicitly. */
const roles = {
  table: { role: "table" },
  rowgroup: { role: "rowgroup" },
  row: { role: "row" },
  columnheader: { role: "columnheader" },
  cell: { role: "cell" },
} as const;

export type RowsColumn<Row> = {
  label: string;
  cell: (row: Row) => ReactNode;
  align?: "end";
  /** Hidden on narrow pages. */
  wideOnly?: boolean;
  /** Holds actions, so it is not printed. */
  screenOnly?: boolean;
  /** The header is for screen readers only, as for a column of buttons. */
  hidesLabel?: boolean;
  /** The text may wrap. */
  wraps?: boolean;
  className?: string;
};

/** A short table on a detail page: all rows, no controls. Long lists use the data table. */
export function RowsTable<Row>(props: {
  label: string;
  columns: RowsColumn<Row>[];
  rows: Row[] | undefined;
  rowKey: (row: Row, place: number) => string;
  /** The query of the rows, whose error is shown if there are none. */
  query?: QueryState<unknown>;
  /** How many placeholder rows to show while loading. */
  expected?: number;
  /** Has too many columns for a narrow page, where its rows become blocks. */
  stacks?: boolean;
  /** Rows that stay on top of the others, on a background of their own. */
  isPinned?: (row: Row) => boolean;
  empty: ReactNode;
}) {
  const { columns, rows, query } = props;
  const [frame, overflows] = useOverflows<HTMLDivElement>();
  if (rows?.length === 0) return <div className="py-2 text-muted text-sm">{props.empty}</div>;
  if (!rows && query?.error) return <LoadError label={props.label} query={query} />;
  return (
    <div
      ref={frame}
      className="rows-table-frame overflow-x-auto"
      {...(overflows ? { tabIndex: 0, role: "group", "aria-label": props.label } : {})}
    >
      <table
        {...roles.table}
        className="rows-table w-full text-sm"
        data-stacks={props.stacks || undefined}
        aria-label={props.label}
        aria-busy={!rows}
      >
        <thead {...roles.rowgroup}>
          <tr {...roles.row} className="border-b text-muted text-xs">
            {columns.map((column) => (
              <th
                key={column.label}
                {...roles.columnheader}
                scope="col"
                className={classNames("h-7 pr-4 text-left font-normal last:pr-0 md:pr-6", look(column))}
              >
                {column.hidesLabel ? <span className="sr-only">{column.label}</span> : column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...roles.rowgroup}>
          {rows
            ? rows.map((row, place) => (
                <TableRow
                  key={props.rowKey(row, place)}
                  row={row}
                  columns={columns}
                  isPinned={props.isPinned?.(row) ?? false}
                />
              ))
            : Array.from({ length: props.expected ?? 2 }, (_, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: places, not things
                <PlaceholderRow key={i} columns={columns} />
              ))}
        </tbody>
      </table>
    </div>
  );
}

function TableRow<Row>({ row, columns, isPinned }: { row: Row; columns: RowsColumn<Row>[]; isPinned: boolean }) {
  return (
    <tr
      {...roles.row}
      data-pinned={isPinned || undefined}
      className={classNames("border-b last:border-b-0", isPinned && "bg-accent-soft/40")}
    >
      {columns.map((column) => (
        <td
          key={column.label}
          {...roles.cell}
          data-label={column.label}
          data-bare={column.hidesLabel || undefined}
          className={classNames(
            "tabular h-9 py-1 pr-4 last:pr-0 md:pr-6",
            column.wraps ? "min-w-44" : "whitespace-nowrap",
            look(column),
            column.className,
          )}
        >
          <div>{column.cell(row)}</div>
        </td>
      ))}
    </tr>
  );
}

function PlaceholderRow<Row>({ columns }: { columns: RowsColumn<Row>[] }) {
  return (
    <tr {...roles.row} className="border-b last:border-b-0">
      {columns.map((column) => (
        <td
          key={column.label}
          {...roles.cell}
          data-label={column.label}
          className={classNames("h-9 pr-4 last:pr-0 md:pr-6", look(column))}
        >
          <Skeleton className="w-20" />
        </td>
      ))}
    </tr>
  );
}

function look<Row>(column: RowsColumn<Row>): string {
  return classNames(
    column.align === "end" && "text-right",
    column.wideOnly && "max-md:hidden",
    column.screenOnly && "print:hidden",
  );
}
