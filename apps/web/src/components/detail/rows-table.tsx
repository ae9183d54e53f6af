"use client";
import "./rows-table.css";
import type { ReactNode } from "react";
import { classNames } from "@/components/ui/class-names.ts";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { useOverflows } from "./use-overflows.ts";

/** Laid out as blocks, a table and its parts lose the roles that their tags imply; so they are said. */
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
  /** Left out where the page is narrow. */
  wideOnly?: boolean;
  /** Is for doing something, so of no use on paper. */
  screenOnly?: boolean;
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
  /** Has too many columns for a narrow page: there its rows become blocks. */
  stacks?: boolean;
  empty: ReactNode;
}) {
  const { columns, rows } = props;
  const [frame, overflows] = useOverflows<HTMLDivElement>();
  if (rows?.length === 0) return <div className="py-2 text-muted text-sm">{props.empty}</div>;
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
            ? rows.map((row) => <TableRow key={props.rowKey(row)} row={row} columns={columns} />)
            : Array.from({ length: props.expected ?? 2 }, (_, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: places, not things
                <PlaceholderRow key={i} columns={columns} />
              ))}
        </tbody>
      </table>
    </div>
  );
}

function TableRow<Row>({ row, columns }: { row: Row; columns: RowsColumn<Row>[] }) {
  return (
    <tr {...roles.row} className="border-b last:border-b-0">
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
